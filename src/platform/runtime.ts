import { HANDLER_VERSION } from "../base/mod.ts";
import { fromFileUrl } from "./url.ts";
import { env } from "./env.ts";
import { findProgram } from "./process.ts";

/** Whether this program is the compiled one. */
export const isCompiled: boolean = Deno.build.standalone;

/** This program's own file: the compiled handlerd, else the `deno` that runs the source. */
export function ownProgram(): string {
  return Deno.execPath();
}

/** Tells this build of the program from any other; undefined from source, which may change at any moment. */
export async function programMark(): Promise<string | undefined> {
  if (!isCompiled) return undefined;
  const { size, mtime } = await Deno.stat(ownProgram());
  return `${HANDLER_VERSION} ${size} ${mtime?.getTime() ?? 0}`;
}

/**
 * A folder that ships with Handler (`interfaces`, `connectors`, …): of the checkout, or inside the compiled file, where
 * only this process can read it.
 */
export function shippedFolder(name: string): string {
  return fromFileUrl(new URL(`../../${name}`, import.meta.url));
}

/**
 * A Deno that can run code of others: HANDLER_DENO, the one running this source, the search path, or the usual place
 * in the home folder. Undefined where the machine has none.
 */
export async function findDeno(): Promise<string | undefined> {
  const set = env("HANDLER_DENO");
  if (set) return await findProgram(set);
  if (!isCompiled) return Deno.execPath();
  return await findProgram("deno") ?? await findProgram(`${env("HOME") ?? ""}/.deno/bin/deno`);
}

/** The words that start one of this program's parts (`handler-service`, …) from anywhere on this machine. */
export function ownCommand(part: string): readonly string[] {
  return isCompiled
    ? [Deno.execPath(), part]
    : [Deno.execPath(), "run", "-A", shippedFolder("main.ts"), part];
}
