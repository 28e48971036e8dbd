import { basename, resolve } from "node:path";
import { concatBytes, HandlerError, utf8Text } from "../../base/mod.ts";
import { download, readChunks, system } from "../../platform/mod.ts";

/** Where a program comes from, and what its bytes must be. */
export interface Source {
  /** For a person: the file or the address. */
  readonly place: string;
  readonly sha256: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** What a command line and the configuration say of a source. */
export interface SourceWords {
  readonly from: string | undefined;
  readonly sha256: string | undefined;
  readonly sums: string | undefined;
  /** `update.url` of the configuration. */
  readonly url: string | undefined;
  readonly cwd: string;
}

/** A list of checksums is small. */
const SUMS_LIMIT = 1024 * 1024;

/**
 * Finds the source and its checksum.
 *
 * @throws {HandlerError} `usage` where no checksum is named, `not_found` where the list does not have it
 */
export async function sourceOf(words: SourceWords): Promise<Source> {
  const { place, sums } = places(words);
  const wanted = words.sha256 ?? (sums === undefined ? undefined : await listedSum(sums, nameOf(place)));
  if (wanted === undefined) {
    throw new HandlerError("usage", `nothing says what ${place} must be`, {
      hint: "give its SHA-256 by --sha256, or the file that lists it by --sums",
    });
  }
  if (!/^[0-9a-f]{64}$/i.test(wanted)) {
    throw new HandlerError("usage", `a SHA-256 has 64 hexadecimal digits, found ${JSON.stringify(wanted)}`);
  }
  return { place, sha256: wanted.toLowerCase(), open: () => open(place) };
}

function places(
  { from, sums, url, cwd }: SourceWords,
): { readonly place: string; readonly sums: string | undefined } {
  const whole = (place: string) => isAddress(place) ? place : resolve(cwd, place);
  if (from !== undefined) return { place: whole(from), sums: sums === undefined ? undefined : whole(sums) };
  if (url === undefined) {
    throw new HandlerError("usage", "nothing says where the new program is", {
      hint: "name a file or an https address by --from, or set update.url in config.toml",
    });
  }
  const folder = url.replace(/\/+$/, "");
  return {
    place: `${folder}/handlerd-${targetName()}`,
    sums: sums === undefined ? `${folder}/SHA256SUMS` : whole(sums),
  };
}

/** How a release names this machine. */
export function targetName(): string {
  return `${system.arch}-${system.os === "darwin" ? "apple-darwin" : "unknown-linux-gnu"}`;
}

function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

function nameOf(place: string): string {
  return isAddress(place) ? basename(new URL(place).pathname) : basename(place);
}

async function open(place: string): Promise<AsyncIterable<Uint8Array>> {
  return isAddress(place) ? download(place) : await readChunks(place);
}

/** The checksum that a list has for a name, as `sha256sum` writes it. */
async function listedSum(sums: string, name: string): Promise<string> {
  const found = sumFor(await smallText(sums), name);
  if (found !== undefined) return found;
  throw new HandlerError("not_found", `${sums} has no SHA-256 of ${name}`);
}

/** The checksum of a name in lines such as `<hex>  <name>`. */
export function sumFor(list: string, name: string): string | undefined {
  return list.split("\n").map((line) => /^([0-9a-f]{64})\s+\*?(.+?)\s*$/i.exec(line)).find((found) =>
    found !== null && found[2]?.replace(/^\.\//, "") === name
  )?.[1];
}

async function smallText(place: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await open(place)) {
    if ((size += chunk.length) > SUMS_LIMIT) {
      throw new HandlerError("invalid", `${place} is no list of checksums`);
    }
    chunks.push(chunk);
  }
  return utf8Text(concatBytes(chunks));
}
