import type {
  CallQuery,
  CallStats,
  CallView,
  Change,
  DeskOperations,
  FolderView,
  Hello,
  JobRequest,
  JobView,
  SettingsView,
  StatsQuery,
  Topic,
  Trial,
  TrialCall,
  TrialFile,
  TrialReport,
} from "../../src/api/mod.ts";
import { HandlerError, type Json } from "../../src/base/mod.ts";
import { MemoryApps } from "./app_operations.ts";

const AT = 1_700_000_000_000;

/** What the page needs, in memory: a job ends when the test says so, a trial's call gives back its input. */
export class MemoryDesk extends MemoryApps
  implements
    Omit<DeskOperations, "call" | "callsExport" | "connectorChecks" | "interfaceShow" | "agentSight"> {
  readonly jobMap = new Map<string, JobView>();
  readonly trialMap = new Map<string, Map<string, Uint8Array>>();
  readonly said = new Map<string, string>();
  readonly statsQueries: StatsQuery[] = [];
  trialCancelled = false;
  /** A call of a trial waits until its caller leaves. */
  endlessTrial = false;
  changesClosed = false;
  #tell: (change: Change | undefined) => void = () => {};

  /** Tells whoever watches. */
  change(topic: Topic, key: string | null = null): void {
    this.#tell({ topic, key });
  }

  async *changes(signal: AbortSignal, onHello?: (hello: Hello) => void): AsyncGenerator<Change> {
    onHello?.({ instance: "i1", version: "0.1.0" });
    const waiting: Change[] = [];
    let rouse = () => {};
    this.#tell = (change) => {
      if (change) waiting.push(change);
      rouse();
    };
    const end = () => rouse();
    signal.addEventListener("abort", end);
    try {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) yield next;
        else await new Promise<void>((go) => rouse = go);
      }
    } finally {
      signal.removeEventListener("abort", end);
      this.changesClosed = true;
    }
  }

  async jobStart(request: JobRequest): Promise<JobView> {
    const id = `j${this.jobMap.size + 1}`;
    const view: JobView = {
      ...{ id, request, state: "running", startedAt: AT, endedAt: null },
      ...{ progress: ["begun"], result: null, error: null },
    };
    this.jobMap.set(id, view);
    return await view;
  }

  /** Ends a job. */
  endJob(id: string, result: Json): void {
    this.jobMap.set(id, { ...this.#job(id), state: "done", endedAt: AT + 1000, result });
    this.change("jobs", id);
  }

  async jobs() {
    return await [...this.jobMap.values()].reverse();
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async job(id: string) {
    return this.#job(id);
  }

  async trialNew(): Promise<Trial> {
    const id = `t${this.trialMap.size + 1}`;
    this.trialMap.set(id, new Map());
    return await { id, files: [] };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async trial(id: string): Promise<Trial> {
    return { id, files: [...this.#trial(id)].map(([name, bytes]) => fileView(name, bytes)) };
  }

  async trialPut(id: string, name: string, bytes: AsyncIterable<Uint8Array> | Blob): Promise<TrialFile> {
    const chunks = await Array.fromAsync(bytes instanceof Blob ? bytes.stream() : bytes);
    const whole = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    this.#trial(id).set(name, whole);
    return fileView(name, whole);
  }

  async *trialFile(id: string, name: string): AsyncGenerator<Uint8Array> {
    yield await this.#trial(id).get(name)!;
  }

  async trialCall(id: string, { binding, input }: TrialCall, signal: AbortSignal): Promise<TrialReport> {
    this.#trial(id);
    if (this.endlessTrial) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      this.trialCancelled = true;
    }
    const units = { pages: 1 };
    return { binding, ms: 300, units, cost: 0.001, hosts: [], error: null, result: input, made: [] };
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async trialRemove(id: string) {
    this.#trial(id);
    this.trialMap.delete(id);
  }

  async callStats(query: StatsQuery): Promise<CallStats> {
    this.statsQueries.push(query);
    return await { from: query.from, to: query.to, bindings: [], hosts: [], currency: "EUR" };
  }

  async folder(path: string | null): Promise<FolderView> {
    const entries = [{ name: "apps", kind: "folder" }, { name: "notes.app", kind: "file" }] as const;
    return await { path: path ?? "/home/person", above: "/home", entries };
  }

  async settings(): Promise<SettingsView> {
    const value = this.said.get("records.keepDays");
    return await {
      file: "/config/config.toml",
      settings: [{
        ...{ key: "records.keepDays", kind: "integer", choices: [], standard: "30" },
        ...{ value: value ?? "30", set: value !== undefined, restart: false, waits: false },
        description: "How long records of calls and logs of sessions are kept",
      }],
    };
  }

  settingSet(key: string, value: string | null): Promise<SettingsView> {
    if (key !== "records.keepDays") throw missing("setting", key);
    if (value === null) this.said.delete(key);
    else if (/^[0-9]+$/.test(value)) this.said.set(key, value);
    else {
      throw new HandlerError("invalid", "must be an integer from 1 to 36500", {
        where: { file: "/config/config.toml", key },
      });
    }
    return this.settings();
  }

  #job(id: string): JobView {
    const job = this.jobMap.get(id);
    if (!job) throw missing("job", id);
    return job;
  }

  #trial(id: string): Map<string, Uint8Array> {
    const trial = this.trialMap.get(id);
    if (!trial) throw missing("trial", id);
    return trial;
  }
}

/** Records as a file, a line at a time. */
export async function* linesOfCalls(
  calls: readonly CallView[],
  { limit }: CallQuery,
  format: "csv" | "jsonl",
): AsyncGenerator<string> {
  if (format === "csv") yield "id,error\r\n";
  for (const { id, ...rest } of await calls.slice(0, limit)) {
    yield format === "csv" ? `${id},${rest.error ?? ""}\r\n` : `${JSON.stringify({ id, ...rest })}\n`;
  }
}

function fileView(name: string, { length }: Uint8Array): TrialFile {
  return { name, size: length, mediaType: "text/plain" };
}

function missing(what: string, name: string): HandlerError {
  return new HandlerError("not_found", `there is no ${what} ${name}`);
}
