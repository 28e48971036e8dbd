import { join } from "node:path";
import { isObject } from "../base/mod.ts";
import {
  ensureFolder,
  listFolder,
  processMark,
  readTextIfThere,
  removeAll,
  signalProcess,
  writeAtomic,
} from "../platform/mod.ts";

/** What is remembered on disk of a started process, so that a later daemon can end it or take it over. */
export interface StartedProcess {
  readonly name: string;
  readonly driver: string;
  readonly pid: number;
  /** Tells the process from a later one with the same id. */
  readonly mark: string;
  /** Control groups to remove with it. */
  readonly groups: readonly string[];
  readonly outlivesDaemon: boolean;
  readonly logFile?: string | undefined;
  readonly limits: { readonly memoryBytes: number; readonly pids: number };
  /** Its egress proxy on the host's loopback, where it has one there. */
  readonly proxy?: { readonly port: number; readonly credential: string } | undefined;
}

/** The handle of a process, as {@linkcode Sandbox.handle} gives it. */
export function processHandle({ pid, mark }: Pick<StartedProcess, "pid" | "mark">): string {
  return `${pid}:${mark}`;
}

/** Remembers started processes, one file each. */
export class StartedProcesses {
  readonly #folder: string;

  constructor(options: { readonly folder: string }) {
    this.#folder = options.folder;
  }

  async remember(started: StartedProcess): Promise<void> {
    await ensureFolder(this.#folder);
    await writeAtomic(this.#file(started), JSON.stringify(started));
  }

  async forget(started: Pick<StartedProcess, "name" | "driver">): Promise<void> {
    await removeAll(this.#file(started));
  }

  /** All that are remembered of one driver; a file that cannot be read is dropped. */
  async list(driver: string): Promise<readonly StartedProcess[]> {
    const found: StartedProcess[] = [];
    for (const { name } of await listFolder(this.#folder)) {
      if (!name.startsWith(`${driver}.`) || !name.endsWith(".json")) continue;
      const started = parse(await readTextIfThere(join(this.#folder, name)) ?? "");
      if (started) found.push(started);
      else await removeAll(join(this.#folder, name));
    }
    return found;
  }

  #file({ name, driver }: Pick<StartedProcess, "name" | "driver">): string {
    return join(this.#folder, `${driver}.${name}.json`);
  }
}

/** Whether the very process that was started still runs, and not another that got its id. */
export async function stillRuns(started: Pick<StartedProcess, "pid" | "mark">): Promise<boolean> {
  return await processMark(started.pid) === started.mark;
}

/** Sends a signal to the very process that was started; one that has ended is fine. */
export async function signalStarted(
  started: Pick<StartedProcess, "pid" | "mark">,
  signal: "SIGTERM" | "SIGKILL",
): Promise<void> {
  if (await stillRuns(started)) signalProcess(started.pid, signal);
}

function parse(text: string): StartedProcess | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.pid === "number" && typeof value.mark === "string" &&
        typeof value.name === "string" && Array.isArray(value.groups)
      ? value as unknown as StartedProcess
      : undefined;
  } catch {
    return undefined;
  }
}
