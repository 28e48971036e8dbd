import { isObject } from "../../base/mod.ts";
import { readTextIfThere, writeAtomic } from "../../platform/mod.ts";
import type { Interface } from "../interface.ts";

/** Where it is kept which versions of the person's own were sound. */
export interface SoundFile {
  readonly file: string;
  /** Tells programs apart: another one may lint by other rules. */
  readonly program: string;
}

/** Versions such as `ocr/v1` to the hash that they were linted with and found sound. */
export type Sound = ReadonlyMap<string, string>;

/** What this very program found sound before; nothing where that cannot be read. */
export async function readSound({ file, program }: SoundFile): Promise<Sound> {
  try {
    const value: unknown = JSON.parse(await readTextIfThere(file) ?? "{}");
    const versions = isObject(value) && value.program === program ? value.versions : undefined;
    const entries = isObject(versions) ? Object.entries(versions) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}

/** Keeps the sound versions in place of those `before`; what cannot be written is linted again at the next start. */
export async function keepSound(
  { file, program }: SoundFile,
  before: Sound,
  interfaces: Iterable<Pick<Interface, "id" | "hash" | "origin">>,
): Promise<void> {
  const own = Array.from(interfaces).filter(({ origin }) => origin === "user");
  if (own.length === before.size && own.every(({ id, hash }) => before.get(id) === hash)) return;
  const versions = Object.fromEntries(own.map(({ id, hash }) => [id, hash]));
  await writeAtomic(file, JSON.stringify({ program, versions }, null, 2) + "\n").catch(() => {});
}
