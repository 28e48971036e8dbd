import { type Clock, HandlerError } from "../../src/base/mod.ts";
import { loadDefinitions } from "../../src/guest/threads/definitions/mod.ts";
import { Host } from "../../src/guest/threads/host.ts";
import { HostLink } from "../../src/threads/hosts/link.ts";
import type { ThreadHost, ThreadHosts } from "../../src/threads/mod.ts";
import { JsonLines, type ToHost } from "../../src/wire/mod.ts";
import type { Pace } from "./pace.ts";
import { pipe, type PipeEnd } from "./pipe.ts";

const LONGEST = 128 * 1024 * 1024;

/** Starts what runs the code of a project's folder, and gives the connection to it. */
export type StartHost = (folder: string, count: number, pace: Pace) => Promise<HostEnd> | HostEnd;

/** The daemon's end of a connection to a host; closing it ends the host. */
export type HostEnd = PipeEnd;

/** The guest's own code in this very process, so that a definition and its test share `globalThis`. */
export const hostHere: StartHost = async (folder, count, pace) => {
  const [outside, inside] = pipe(pace);
  const loaded = await loadDefinitions({
    folder,
    importModule: (path) => import(`file://${path}?host=${count}`), // a later host reads the files anew
  });
  const lines = new JsonLines(inside, LONGEST, () => {});
  const host = new Host({
    loaded,
    folder,
    send: (message) => lines.send(message),
    flushed: () => lines.flushed(),
    within: (_, work) => work(),
  });
  lines.send({ t: "ready", definitions: loaded.set, problems: loaded.problems });
  void lines.receive((message) => host.take(message as ToHost));
  return outside;
};

let hostsMade = 0;

/** One host for each project of a test, started when it is wanted and ended when it is killed. */
export class TestHosts implements ThreadHosts {
  /** How many were started. */
  started = 0;
  readonly #clock: Clock;
  readonly #folderOf: (project: string) => string;
  readonly #start: StartHost;
  readonly #pace: Pace;
  readonly #up = new Map<string, Promise<ThreadHost>>();
  readonly #ready = new Map<string, ThreadHost>();
  readonly #all = new Set<ThreadHost>();

  constructor(clock: Clock, folderOf: (project: string) => string, start: StartHost, pace: Pace) {
    this.#clock = clock;
    this.#folderOf = folderOf;
    this.#start = start;
    this.#pace = pace;
  }

  current(project: string): ThreadHost | undefined {
    return this.#ready.get(project);
  }

  get(project: string): Promise<ThreadHost> {
    let host = this.#up.get(project);
    if (!host) {
      this.#up.set(project, host = this.#open(project));
      host.catch(() => this.#up.delete(project));
    }
    return host;
  }

  async #open(project: string): Promise<ThreadHost> {
    const host = await this.#load(project, () => this.#gone(project, host));
    const wrong = host.problems.filter(({ severity }) => severity === "error");
    if (wrong.length > 0) {
      host.kill("wrong");
      const all = wrong.map(({ file, path, message }) => `${file} ${path}: ${message}`).join("\n");
      throw new HandlerError("invalid", all);
    }
    this.#ready.set(project, host);
    return host;
  }

  #gone(project: string, host: ThreadHost): void {
    if (this.#ready.get(project) !== host) return;
    this.#ready.delete(project);
    this.#up.delete(project);
  }

  async #load(project: string, gone: () => void): Promise<ThreadHost> {
    this.started++;
    const end = await this.#start(this.#folderOf(project), ++hostsMade, this.#pace);
    const link = new HostLink(end, { clock: this.#clock, stuck: () => {}, rests() {} });
    const dead = (message: string) => {
      gone();
      link.fail({ name: "Interrupted", message });
      end.close();
    };
    void link.ended.then((why) => dead(`the thread host died: ${why}`));
    const { definitions, problems } = await link.ready;
    const run: ThreadHost["run"] = (...what) => link.run(...what);
    const kill = (reason: string) => dead(`the thread host was ended: ${reason}`);
    const host = { definitions, problems, run, kill };
    this.#all.add(host);
    return host;
  }

  async check(project: string): Promise<Pick<ThreadHost, "definitions" | "problems">> {
    const host = await this.#load(project, () => {});
    host.kill("checked");
    return host;
  }

  /** As `kill -9` of the host's process. */
  kill(project: string): void {
    this.#ready.get(project)?.kill("a test");
  }

  /** Another host takes the place of the one that is up, which goes on with what it runs. */
  async reload(project: string): Promise<void> {
    if (!this.#up.has(project)) return;
    this.#up.delete(project);
    await this.get(project);
  }

  use(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#up.values()]);
    for (const host of this.#all) host.kill("the test is over");
  }
}
