import { HandlerError, type Json, utf8 } from "../../src/base/mod.ts";
import type {
  AgentView,
  BindingView,
  CallQuery,
  CallView,
  ConnectorView,
  DoctorCheck,
  InterfaceView,
  KeptCheck,
  NewAgent,
  NewBinding,
  NewProject,
  Operations,
  ProjectView,
  Removed,
  SessionView,
  Status,
  TrustView,
  WelcomeView,
} from "../../src/api/mod.ts";
import { linesOfCalls, MemoryDesk } from "./desk_operations.ts";

const HASH = "a".repeat(64);

/** What every fake daemon offers before anything is added. */
const OCR: InterfaceView = {
  id: "ocr/v1",
  description: "Extract text from scanned documents and images",
  hash: HASH,
  origin: "shipped",
  state: "published",
  tools: [{ name: "ocr_extract", description: "Extract the text of a PDF or image" }],
  errors: { unavailable: "the service is down", too_large: "the file is too large" },
  limits: { maxFileBytes: 20_000_000, timeoutSeconds: 120 },
  connectors: ["ocr-tesseract"],
  bindings: ["ocr-local"],
  folder: "/usr/share/handler/interfaces/ocr/v1",
  skill: "# OCR\nUse it for scans.\n",
};

const TESSERACT: ConnectorView = {
  name: "ocr-tesseract",
  description: "Tesseract on this machine",
  implements: ["ocr/v1"],
  egress: [],
  hash: HASH,
  origin: "shipped",
  trusted: true,
  runtime: "deno",
  secretSlots: [],
  settings: [{
    name: "workers",
    required: false,
    description: "how many pages at once",
    type: "text",
    default: "2",
  }],
  bindings: ["ocr-local"],
  proven: [{ interfaceId: "ocr/v1", binding: "ocr-local", state: "proven", at: 1_700_000_000_000 }],
  folder: "/usr/share/handler/connectors/ocr-tesseract",
};

function call(id: string, startedAt: number, error: string | null): CallView {
  return {
    id,
    startedAt,
    caller: "agent:clerk",
    session: "s1",
    interfaceId: "ocr/v1",
    interfaceHash: HASH,
    tool: "ocr_extract",
    binding: "ocr-local",
    connector: "ocr-tesseract",
    connectorHash: HASH,
    queueMs: 0,
    startMs: 12,
    upstreamMs: 300,
    validateMs: 1,
    totalMs: 313,
    bytesIn: 2048,
    bytesOut: 4096,
    units: { pages: 1 },
    hosts: [],
    error,
    detail: error && "the property extra is not in the schema",
    traceId: null,
    cost: null,
  };
}

/** A daemon that is all in memory: it keeps what it is told, and every rule that the command line can meet is real. */
export class MemoryOperations extends MemoryDesk implements Operations {
  readonly agentMap = new Map<string, AgentView>();
  readonly bindingMap = new Map<string, BindingView>();
  readonly projectMap = new Map<string, ProjectView>();
  readonly secretMap = new Map<string, Uint8Array>();
  readonly sessionMap = new Map<string, SessionView>();
  readonly inputs: string[] = [];
  readonly trusted: string[] = [];
  readonly removed = new Set<string>();
  readonly queries: CallQuery[] = [];
  trustViews: TrustView[] = [];
  callViews: CallView[] = [call("c1", 1_700_000_000_000, null), call("c2", 1_700_000_060_000, "unavailable")];
  logChunks: readonly string[] = ["line one\n", "line two\n"];
  /** The log of a session goes on for ever, until its reader leaves. */
  endlessLog = false;
  logClosed = false;
  stopped = false;
  exitCode = 0;
  extraProblems: Status["problems"] = [];

  async status(): Promise<Status> {
    return await {
      version: "0.1.0",
      pid: 4711,
      startedAt: 1_700_000_000_000,
      sandbox: { driver: "bubblewrap", why: "podman is not installed", notStopped: [] },
      interfaces: 1,
      connectors: 1,
      bindings: this.bindingMap.size,
      agents: this.agentMap.size,
      sessions: this.sessionMap.size,
      threads: { running: 0, awaiting: 0 },
      running: [],
      desk: { url: "http://localhost:7430/", problem: null },
      problems: this.extraProblems,
      memoryBytes: 64 * 1024 * 1024,
    };
  }

  async reload() {
    if (this.extraProblems.length > 0) throw new HandlerError("invalid", "the configuration has a problem");
    return await { changed: ["bindings/ocr-local.toml"] };
  }

  async doctor(): Promise<readonly DoctorCheck[]> {
    return await [{ name: "sandbox", state: "ok", detail: "bubblewrap 0.8.0", hint: null }];
  }

  async shutDown() {
    await (this.stopped = true);
  }

  async interfaces() {
    return await [OCR];
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async connectorChecks(connector: string): Promise<readonly KeptCheck[]> {
    if (connector !== TESSERACT.name) throw missing("connector", connector);
    const cases = [{ name: "invoice text", state: "passed" as const, ms: 240, detail: null }];
    return [{
      ...{ binding: "ocr-local", interfaceId: "ocr/v1", at: 1_700_000_000_000 },
      ...{ state: "proven", passed: true, cases },
    }];
  }

  async interfaceShow(id: string) {
    if (id !== "ocr/v1") throw missing("interface", id);
    return await { view: OCR, tools: [{ name: "ocr_extract" }], skill: OCR.skill };
  }

  async interfaceCheck(target: string) {
    if (target === "ocr/v1") return [];
    if (!target.startsWith("/")) throw missing("interface", target);
    return await [{ where: `${target}/tools.json:3:name`, message: "must start with notes_", hint: null }];
  }

  async interfacePublish(id: string) {
    if (id !== "ocr/v1") throw missing("interface", id);
    return await OCR;
  }

  async interfaceStub(id: string, name: string) {
    if (id !== "ocr/v1") throw missing("interface", id);
    return await { "connector.toml": `name = "${name}"\n`, "main.ts": "serve({});\n" };
  }

  async connectors() {
    return await [TESSERACT];
  }

  async connectorCheck(name: string, binding: string | null, onCase: (line: string) => void) {
    if (name !== "ocr-tesseract") throw missing("connector", name);
    onCase("ocr/v1: invoice text: passed");
    onCase("ocr/v1: rejects a zip: failed");
    const cases = [
      { name: "invoice text", state: "passed" as const, ms: 310, findings: [] },
      { name: "rejects a zip", state: "failed" as const, ms: 5, findings: ["the error is too_large"] },
    ];
    return await {
      schema: 1 as const,
      connector: name,
      binding: binding ?? "ocr-local",
      passed: false,
      interfaces: [{ id: "ocr/v1", cases, problems: [] }],
    };
  }

  async connectorCompare(tool: string, input: Json, _scope: string, bindings: readonly [string, string]) {
    const side = (binding: string, ms: number) => ({
      binding,
      ms,
      units: { pages: 1 },
      error: null,
      result: input,
    });
    return await {
      schema: 1 as const,
      tool,
      sides: [side(bindings[0], 300), side(bindings[1], 900)],
      difference: ["-Total", "+Tota1"],
    };
  }

  async connectorLog(binding: string) {
    return await `ready: ${binding}\n`;
  }

  async connectorRestart(binding: string) {
    await this.#have(this.bindingMap, "binding", binding);
  }

  async bindings() {
    return await [...this.bindingMap.values()];
  }

  async bindingAdd({ replace, prices = {}, ...binding }: NewBinding) {
    if (!replace && this.bindingMap.has(binding.name)) throw exists("binding", binding.name);
    if (binding.connector !== "ocr-tesseract") throw missing("connector", binding.connector);
    const file = `/config/bindings/${binding.name}.toml`;
    const view = { ...binding, prices, file, implements: ["ocr/v1"], egress: [], usedBy: [], problems: [] };
    this.bindingMap.set(binding.name, view);
    return await view;
  }

  async bindingRemove(name: string) {
    return await this.#remove(this.bindingMap, "binding", name);
  }

  async agents() {
    return await [...this.agentMap.values()];
  }

  async agentAdd({ replace, ...agent }: NewAgent) {
    if (!replace && this.agentMap.has(agent.name)) throw exists("agent", agent.name);
    this.#have(this.projectMap, "project", agent.project);
    const { egress = [], env = {}, model = null, addons = [], image = null } = agent;
    const file = `/config/agents/${agent.name}.toml`;
    const view = { ...agent, egress, env, model, addons, image, file, problems: [] };
    this.agentMap.set(agent.name, view);
    return await view;
  }

  async agentSight(name: string) {
    const { project } = this.#have(this.agentMap, "agent", name);
    const { path } = this.#have(this.projectMap, "project", project);
    return await { agent: name, folder: path, interfaces: [], egress: [], env: ["HOME"] };
  }

  async agentRemove(name: string) {
    return await this.#remove(this.agentMap, "agent", name);
  }

  async projects() {
    return await [...this.projectMap.values()];
  }

  async projectAdd({ replace, ...project }: NewProject) {
    if (!replace && this.projectMap.has(project.name)) throw exists("project", project.name);
    const { services = {}, env = {} } = project;
    const file = `/config/projects/${project.name}.toml`;
    const view = { ...project, services, env, agents: [], file };
    this.projectMap.set(project.name, view);
    return await view;
  }

  async projectRemove(name: string) {
    return await this.#remove(this.projectMap, "project", name);
  }

  async putBack({ kind, name }: Removed) {
    if (!this.removed.delete(`${kind} ${name}`)) throw exists(kind, name);
    await this.done.push(`put back ${kind} ${name}`);
  }

  async select(owner: "agent" | "project", name: string, interfaceName: string, bindings: readonly string[]) {
    const map: Map<string, AgentView | ProjectView> = owner === "agent" ? this.agentMap : this.projectMap;
    const old = this.#have(map, owner, name);
    const { [interfaceName]: _, ...others } = old.services;
    const services = bindings.length > 0 ? { ...others, [interfaceName]: bindings } : others;
    await map.set(name, { ...old, services });
  }

  async secrets() {
    return await [...this.secretMap.keys()].map((name) => ({ name, storedIn: "file" as const, usedBy: [] }));
  }

  async secretSet(name: string, value: Uint8Array) {
    if (value.length === 0) throw new HandlerError("invalid", `the secret ${name} must not be empty`);
    await this.secretMap.set(name, value);
  }

  async secretRemove(name: string) {
    await this.#take(this.secretMap, "secret", name);
  }

  async trustShow(name: string) {
    const views = this.trustViews.filter((view) => view.name === name);
    if (views.length === 0) throw missing("interface or connector of your own", name);
    return await views;
  }

  async trustSet(kind: "interface" | "connector", name: string, hash: string) {
    await this.trusted.push(`${kind} ${name} ${hash}`);
  }

  async calls(query: CallQuery) {
    this.queries.push(query);
    const since = (view: CallView) => Number(view.startedAt) >= (query.since ?? 0);
    return await this.callViews.filter((view) => since(view) && (!query.failedOnly || view.error !== null));
  }

  // deno-lint-ignore require-await -- what is thrown must reject
  async call(id: string) {
    const found = this.callViews.find((view) => view.id === id);
    if (!found) throw missing("call", id);
    return found;
  }

  callsExport(query: CallQuery, format: "csv" | "jsonl") {
    this.queries.push(query);
    return linesOfCalls(this.callViews, query, format);
  }

  async run(agent: string, prompt: string | null) {
    const { project } = this.#have(this.agentMap, "agent", agent);
    const id = `s${this.sessionMap.size + 1}`;
    if (prompt !== null) this.inputs.push(prompt);
    const view: SessionView = {
      id,
      agent,
      project,
      state: "running",
      startedAt: 1_700_000_000_000,
      endedAt: null,
      exitCode: null,
      reason: null,
      driver: "bubblewrap",
      calls: 0,
      takesInput: prompt === null,
      hasLog: true,
    };
    this.sessionMap.set(id, view);
    return await view;
  }

  async sessions(all: boolean) {
    return await [...this.sessionMap.values()].filter(({ state }) => all || state === "running");
  }

  async session(id: string) {
    return await this.#have(this.sessionMap, "session", id);
  }

  async sessionStop(id: string) {
    return await this.#end(id, "stopped", null);
  }

  async *sessionLog(id: string, from: number, follow: boolean, signal: AbortSignal) {
    this.#have(this.sessionMap, "session", id);
    try {
      yield utf8(this.logChunks.join("").slice(from));
      while (follow && this.endlessLog && !signal.aborted) {
        yield utf8("tick\n");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      if (follow && !this.endlessLog) this.#end(id, this.exitCode === 0 ? "exited" : "failed", this.exitCode);
    } finally {
      this.logClosed = true;
    }
  }

  async sessionInput(id: string, bytes: Uint8Array) {
    this.#have(this.sessionMap, "session", id);
    await this.inputs.push(new TextDecoder().decode(bytes));
  }

  async image() {
    return await { wanted: "denoland/deno:distroless", present: [], usable: false, why: "it is not there" };
  }

  async imageBuild() {
    return await { ...await this.image(), present: ["denoland/deno:distroless"], usable: true, why: null };
  }

  imagePull(): Promise<never> {
    return Promise.reject(new HandlerError("unavailable", "the registry does not answer"));
  }

  async externalServices(agent: string) {
    const { harness } = this.#have(this.agentMap, "agent", agent);
    if (harness !== "external") {
      throw new HandlerError("conflict", `the agent ${agent} runs in a sandbox, its harness is not external`);
    }
    return await { folder: `/run/handler/external/${agent}`, services: ["llm", "ocr"] };
  }

  #end(id: string, state: string, exitCode: number | null): SessionView {
    const view = {
      ...this.#have(this.sessionMap, "session", id),
      state,
      exitCode,
      endedAt: 1_700_000_005_000,
    };
    this.sessionMap.set(id, view);
    return view;
  }

  #have<T>(map: ReadonlyMap<string, T>, what: string, name: string): T {
    const found = map.get(name);
    if (found === undefined) throw missing(what, name);
    return found;
  }

  async welcome(): Promise<WelcomeView> {
    const [apps, threads] = await Promise.all([this.apps(), this.threads({ limit: 100, offset: 0 })]);
    return { folder: "/home/ann/Handler", reader: null, apps: apps.length, threads: threads.length };
  }

  async welcomeReader() {
    const made = { name: "ocr-here", connector: "ocr-tesseract", description: "On this machine" };
    return { binding: (await this.bindingAdd({ ...made, settings: {}, secrets: {} })).name };
  }

  welcomeApp() {
    return this.appAdd("/home/ann/Handler/notes");
  }

  welcomeThread() {
    const whose = { project: "first-steps", agent: "shopping_list", person: null, title: "Shopping list" };
    return this.threadNew({ ...whose, arguments: {}, env: {} });
  }

  #remove<T>(map: Map<string, T>, kind: Removed["kind"], name: string): Removed {
    this.#take(map, kind, name);
    this.removed.add(`${kind} ${name}`);
    return { kind, name, text: `# ${name}\n` };
  }

  #take<T>(map: Map<string, T>, what: string, name: string): void {
    this.#have(map, what, name);
    map.delete(name);
  }
}

function missing(what: string, name: string): HandlerError {
  return new HandlerError("not_found", `there is no ${what} ${name}`);
}

function exists(what: string, name: string): HandlerError {
  return new HandlerError("conflict", `there is a ${what} ${name} already`);
}
