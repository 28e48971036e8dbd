import { childrenOf, endGroup, processMark, signalProcess } from "../../platform/mod.ts";
import { signalStarted, type StartedProcess, stillRuns } from "../state.ts";
import { readStatus, statusFileIn } from "../status_file.ts";

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
  }
}
