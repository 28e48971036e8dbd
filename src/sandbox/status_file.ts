import { join } from "node:path";
import type { Clock } from "../base/mod.ts";
import { readTextIfThere, statIfThere } from "../platform/mod.ts";
import { type StartedProcess, stillRuns } from "./state.ts";

/** What a sandbox's first process has written of it so far, one JSON object a line. */
export interface Status {
  /** The first process of the sandbox's own process namespace, as the host counts it; with it all others end. */
  readonly initPid?: number;
  readonly exitCode?: number;
}

const POLL_MS = 250;

/** The file in a sandbox's box. */
export function statusFileIn(boxFolder: string): string {
  return join(boxFolder, "status.json");
}

/** Reads a status file, which may be missing or half written. */
export async function readStatus(file: string): Promise<Status> {
  const text = await readTextIfThere(file) ?? "";
  const number = (key: string) => {
    const found = new RegExp(`"${key}": (\\d+)`).exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [initPid, exitCode] = [number("child-pid"), number("exit-code")];
  return { ...(initPid === undefined ? {} : { initPid }), ...(exitCode === undefined ? {} : { exitCode }) };
}

/** The exit code that a sandbox left when no daemon ran, and when; undefined where it left none. */
export async function pastExitIn(
  file: string,
): Promise<{ readonly code: number; readonly at: number } | undefined> {
  const { exitCode } = await readStatus(file);
  const written = (await statIfThere(file))?.mtime;
  return exitCode === undefined || !written ? undefined : { code: exitCode, at: written.getTime() };
}

/** Waits for a process that this daemon did not start and gives the exit code it left, -1 where it left none. */
export async function exitCodeIn(file: string, started: StartedProcess, clock: Clock): Promise<number> {
  while (await stillRuns(started)) await new Promise<void>((done) => void clock.after(POLL_MS, done));
  return (await readStatus(file)).exitCode ?? -1;
}
