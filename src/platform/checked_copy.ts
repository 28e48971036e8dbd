import { createHash } from "node:crypto";
import { errorText, HandlerError } from "../base/mod.ts";
import { diskFailure, removeQuietly } from "./files.ts";
import { readChunks } from "./file_stream.ts";

/** The SHA-256 of a file, in hex. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of await readChunks(path)) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Writes a new file out of pieces, flushed to the disk, and gives its SHA-256 in hex. What a failure leaves unfinished is
 * removed. `onBytes` is told how many bytes there are so far.
 *
 * @throws {HandlerError} `unavailable` where the disk is full
 */
export async function writeHashed(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  mode: number,
  onBytes: (count: number) => void = () => {},
): Promise<string> {
  const hash = createHash("sha256");
  try {
    using file = await Deno.open(path, { write: true, createNew: true, mode });
    let count = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
      onBytes(count += chunk.length);
    }
    await Deno.chmod(path, mode); // whatever the umask took away
    await file.sync();
  } catch (error) {
    await removeQuietly(path);
    throw diskFailure(error);
  }
  return hash.digest("hex");
}

/** How long a server may keep silent, in milliseconds. */
const SILENCE_MS = 30_000;

/**
 * The bytes behind an address: `https`, or `http` on this machine alone.
 *
 * @throws {HandlerError} `usage` for another kind of address, `unavailable` where it cannot be had
 */
export async function* download(address: string): AsyncGenerator<Uint8Array> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const body = await bodyOf(address, silence.signal);
    for await (const chunk of body) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof HandlerError) throw error;
    const why = silence.signal.aborted ? `nothing came for ${SILENCE_MS / 1000} s` : errorText(error);
    throw new HandlerError("unavailable", `${address} could not be fetched: ${why}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const REDIRECTS = 5;

/** Follows redirects itself, so that each address on the way is looked at before it is asked. */
async function bodyOf(address: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  let at = address;
  for (let hops = 0; hops <= REDIRECTS; hops++) {
    checkAddress(at);
    const response = await fetch(at, { signal, redirect: "manual" });
    const next = response.headers.get("location");
    if (response.ok && response.body) return response.body;
    await response.body?.cancel();
    if (response.status < 300 || response.status >= 400 || next === null) {
      throw new HandlerError("unavailable", `${at} answered with ${response.status}`);
    }
    at = new URL(next, at).href;
  }
  throw new HandlerError("unavailable", `${address} leads on more than ${REDIRECTS} times`);
}

/** What anybody on the way could change is not taken, not by a redirect either. */
function checkAddress(address: string): void {
  const { protocol, hostname } = URL.parse(address) ?? { protocol: "", hostname: "" };
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (protocol === "https:" || protocol === "http:" && here) return;
  throw new HandlerError("usage", `a program is fetched over https only, found ${address}`);
}
