import { HandlerError } from "../base/mod.ts";
import { statIfThere } from "./files.ts";
import type { PackPlace } from "./pack.ts";
import { ownProgram, shippedFolder } from "./runtime.ts";

/**
 * Where the compiled program carries its pack. On Linux it lies in the program's own file, between what the system loads
 * and what Deno added: nothing reads it until it is asked for. Elsewhere it is among the files that Deno embeds, which
 * it reads whole at each start.
 */
export async function carriedPack(): Promise<PackPlace> {
  const embedded = shippedFolder("shipped.pack");
  if (await statIfThere(embedded)) return { file: embedded, offset: 0 };
  return { file: ownProgram(), offset: await elfEnd(ownProgram()) };
}

/** The length of an ELF file by its own headers: where the table of its sections, the last thing in it, ends. */
export async function elfEnd(path: string): Promise<number> {
  using file = await Deno.open(path);
  const header = new Uint8Array(64);
  const view = new DataView(header.buffer);
  if (await file.read(header) !== 64 || view.getUint32(0) !== 0x7f454c46 || header[4] !== 2) {
    throw new HandlerError("invalid", `${path} is no ELF file of 64 bits`);
  }
  const tableOffset = Number(view.getBigUint64(40, true));
  const [entrySize, entries] = [view.getUint16(58, true), view.getUint16(60, true)];
  if (tableOffset === 0) throw new HandlerError("invalid", `${path} has no table of sections`);
  return tableOffset + entrySize * entries;
}
