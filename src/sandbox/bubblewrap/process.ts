import { join } from "node:path";
import { type Clock, delay, utf8Text } from "../../base/mod.ts";
import { childrenOf, endGroup, processMark, signalProcess, tailOfFile } from "../../platform/mod.ts";
import { removeGroup } from "../limits/cgroup.ts";
import { LogTail } from "../running.ts";
import { signalStarted, type StartedProcess, stillRuns } from "../state.ts";
import { readStatus } from "./status.ts";

/** A started bubblewrap, by its process and its status file, whoever started it. */
export class BubblewrapProcess {
  readonly #started: StartedProcess;
  readonly #statusFile: string;
  #init: { pid: number; mark: string } | undefined;

  constructor(started: StartedProcess, boxFolder: string) {
    this.#started = started;
    this.#statusFile = statusFileIn(boxFolder);
  }

  /** The first process inside; undefined as long as there is none. */
  async init(): Promise<{ pid: number; mark: string } | undefined> {
    if (this.#init) return this.#init;
    const { initPid } = await readStatus(this.#statusFile);
    const mark = initPid === undefined ? undefined : await processMark(initPid);
    if (initPid !== undefined && mark !== undefined) this.#init = { pid: initPid, mark };
    return this.#init;
  }

  /** Sends SIGTERM to the program itself: bubblewrap would take its own end for that of all. */
  async ask(): Promise<void> {
    const init = await this.init();
    if (!init || !await stillRuns(init)) return await signalStarted(this.#started, "SIGTERM");
    for (const pid of await childrenOf(init.pid)) signalProcess(pid, "SIGTERM");
  }

  /** Ends all: with the first process of a process namespace the kernel ends every other. */
  async kill(): Promise<void> {
    const init = await this.init();
    if (init) await signalStarted(init, "SIGKILL");
    if (await stillRuns(this.#started)) endGroup(this.#started.pid, "SIGKILL");
    await removeGroup(this.#started.groups);
  }

  /** Waits for a bubblewrap that this daemon did not start, then for its exit code; -1 where none was left. */
  async waitForOther(clock: Clock): Promise<number> {
    while (await stillRuns(this.#started)) await new Promise<void>((done) => clock.after(250, done));
    return (await readStatus(this.#statusFile)).exitCode ?? -1;
  }
}

/** The file in a sandbox's box that bubblewrap reports to. */
export function statusFileIn(boxFolder: string): string {
  return join(boxFolder, "status.json");
}

/** The end of a log file as text. */
export function logFileTail(path: string): string {
  return utf8Text(tailOfFile(path, LogTail.LIMIT));
}

/** Waits until bubblewrap has made the namespaces, or has ended without. */
export async function whenUp(process: BubblewrapProcess, ended: Promise<unknown>): Promise<boolean> {
  let over = false;
  void ended.then(() => over = true);
  while (!over) {
    if (await process.init()) return true;
    await delay(2);
  }
  return await process.init() !== undefined;
}
