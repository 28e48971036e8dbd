import { HandlerError } from "../base/mod.ts";
import { run } from "../platform/mod.ts";
import { librariesOf, type Library } from "./libraries.ts";

/** The Deno of this machine as a sandbox gets it. */
export interface HostDeno {
  readonly path: string;
  readonly version: string;
  readonly libraries: readonly Library[];
}

/** Asks a Deno for its version and finds what it loads. */
export async function inspectDeno(
  path: string | undefined,
  options: { readonly libraries: boolean },
): Promise<HostDeno> {
  if (path === undefined) {
    throw new HandlerError("unavailable", "there is no Deno on this machine for sandboxes", {
      hint: "install Deno, or name one in HANDLER_DENO",
    });
  }
  const [{ code, stdout }, libraries] = await Promise.all([
    run([path, "--version"], { env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" }, timeoutMs: 20_000 }),
    options.libraries ? librariesOf(path) : [],
  ]);
  const version = /^deno (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (code !== 0 || !version) {
    throw new HandlerError("unavailable", `${path} does not answer as a Deno does`, {
      hint: "HANDLER_DENO must name the program itself, not a script around it",
    });
  }
  return { path, version, libraries };
}

/** A value that is looked for once; a failure is looked for again the next time. */
export function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find().catch((error) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}
