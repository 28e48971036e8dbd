import { type Clock, HandlerError, type Logger, newId, ProblemList } from "../base/mod.ts";
import type { AgentConfig, Configuration, ProjectConfig } from "../config/mod.ts";
import { type Folders, makeFifo, removeQuietly } from "../platform/mod.ts";
import type { PastExit, Sandbox } from "../sandbox/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import { parseEgress } from "../sandbox/mod.ts";
import type { SessionChange, SessionRecord, Store } from "../store/mod.ts";
import { agentSpec } from "./agent_spec.ts";
import { agentProblems, findAgent } from "./check.ts";
import { harnessOf, type Rendered } from "./harness.ts";
import { AGENT_INSIDE } from "./inside.ts";
import { howItEnded, LiveSession, LOST } from "./live_session.ts";
import { LogPump } from "./log_pump.ts";
import { makePlaces, placesOf, type SessionPlaces, writeHomeFiles, writeSkills } from "./places.ts";
import type { AgentService, GuestPort, OpenServices, SandboxPort, ServicesPort } from "./ports.ts";
import { selectionOf } from "./selection.ts";
import type { SessionContext } from "./session.ts";
import { SessionLog } from "./session_log.ts";
import { workFolder } from "./work_folder.ts";

/** What agents are made of; every field is required. */
export interface AgentsOptions {
  /** The configuration in force now. */
  readonly configuration: () => Configuration;
  readonly sandboxes: SandboxPort;
  readonly services: ServicesPort;
  readonly guest: GuestPort;
  readonly secrets: Pick<Secrets, "redactStream">;
  readonly store: Pick<Store, "sessions" | "calls">;
  readonly folders: Folders;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How a session is started. */
export interface RunOptions {
  /** Given to the harness; a session with a prompt reads no input unless `interactive` says so. */
  readonly prompt?: string;
  /** Further words for the program. */
  readonly args?: readonly string[];
  /** Whether its input is open, to be written with `write`; as a rule where there is no prompt. */
  readonly interactive?: boolean;
}

/** A session that is about to start: checked, recorded, nothing running yet. */
interface Begun {
  readonly record: SessionRecord;
  readonly context: SessionContext;
  readonly agent: AgentConfig;
  readonly project: ProjectConfig;
  readonly places: SessionPlaces;
}

/** Starts a session of an agent, or takes over one that an earlier daemon started. */
export class Starter {
  readonly #options: AgentsOptions;
  readonly #ended: (id: string, change: SessionChange) => void;

  constructor(options: AgentsOptions, ended: (id: string, change: SessionChange) => void) {
    this.#options = options;
    this.#ended = ended;
  }

  /** @throws {HandlerError} a {@linkcode ProblemList} with all that keeps the agent from starting */
  async start(name: string, run: RunOptions): Promise<LiveSession> {
    const begun = await this.#begin(name, run);
    const { record, context, agent, places } = begun;
    const undo: (() => Promise<unknown>)[] = [() => removeQuietly(places.run)];
    try {
      await makePlaces(places);
      const services = await this.#open(record, context, places);
      undo.push(() => services.close());
      if (agent.harness === "external") return this.#live(record, places, services, undefined);
      return await this.#startProcess(begun, run, services, undo);
    } catch (error) {
      for (const step of undo.reverse()) await step().catch(() => {});
      const reason = error instanceof HandlerError ? error.message : "it could not be started";
      this.#ended(record.id, { state: "failed", exitCode: null, reason });
      throw error;
    }
  }

  /**
   * Takes a session over: its program where it still runs, its sockets at the same place, its log where it stood.
   * Where its program has ended, the rest of its log is carried over, and what is given is how it ended.
   */
  async takeOver(record: SessionRecord): Promise<LiveSession | SessionChange> {
    const { folders, log } = this.#options;
    const context = record.context as unknown as SessionContext;
    const places = placesOf(folders, record.agent, record.id);
    const sandbox = await this.#adopt(record, context);
    if (record.logPath !== null && !sandbox) {
      const exit = await this.#pastExit(record);
      await (await this.#pump(places)).end();
      await removeQuietly(places.run);
      return exit ? { ...howItEnded(exit), endedAt: Math.max(exit.at, record.startedAt) } : LOST;
    }
    await makePlaces(places);
    const services = await this.#open(record, context, places).catch((error) => {
      log.log("error", "a session goes on without services", { session: record.id, reason: String(error) });
      return undefined;
    });
    const process = sandbox && { sandbox, pump: await this.#pump(places) };
    return this.#live(record, places, services, process);
  }

  async #begin(name: string, run: RunOptions): Promise<Begun> {
    const { configuration, clock, store, folders } = this.#options;
    const problems = await agentProblems(configuration(), name, this.#options);
    if (problems.length === 1) throw problems[0];
    if (problems.length > 1) throw new ProblemList(`the agent ${name} cannot start`, problems);
    const { agent, project } = findAgent(configuration(), name);
    const id = newId(clock.now());
    const places = placesOf(folders, name, id);
    const external = agent.harness === "external";
    const context = {
      egress: agent.egress,
      requires: project.requires,
      selection: selectionOf(project, agent),
      scope: project.path,
      privacy: project.privacy,
      interactive: !external && (run.interactive ?? run.prompt === undefined),
    };
    const record: SessionRecord = {
      id,
      agent: name,
      project: project.name,
      state: external ? "running" : "starting",
      startedAt: clock.now(),
      endedAt: null,
      exitCode: null,
      reason: null,
      driver: null,
      sandbox: null,
      handle: null,
      logPath: external ? null : places.log,
      calls: 0,
      context,
    };
    store.sessions.insert(record);
    return { record, context, agent, project, places };
  }

  #open(record: SessionRecord, context: SessionContext, places: SessionPlaces): Promise<OpenServices> {
    const { services, store } = this.#options;
    const { scope, requires, privacy } = context;
    const selection = () => this.#selectionNow(record.agent) ?? context.selection;
    const counted = (interfaceId: string) => store.calls.count(record.id, interfaceId);
    const run = record.logPath === null ? "connection" as const : counted;
    const caller = {
      id: `agent:${record.agent}`,
      session: record.id,
      scope,
      requires,
      selection,
      privacy,
      run,
    };
    return services.open(caller, places.services);
  }

  #selectionNow(name: string): SessionContext["selection"] | undefined {
    const { agents, projects } = this.#options.configuration();
    const agent = agents.get(name);
    const project = agent && projects.get(agent.project);
    return project && selectionOf(project, agent);
  }

  async #startProcess(
    begun: Begun,
    run: RunOptions,
    services: OpenServices,
    undo: (() => Promise<unknown>)[],
  ): Promise<LiveSession> {
    const { sandboxes, store } = this.#options;
    const { record, places, context } = begun;
    const driver = await sandboxes.chosen();
    if (driver.name === "deno") this.#askedForDeno(begun.agent);
    await writeSkills(places.skills, services.interfaces);
    if (context.interactive) await makeFifo(places.stdin);
    const rendered = await this.#render(begun, run, services.interfaces);
    const spec = agentSpec({
      ...begun,
      driver: driver.name,
      session: record.id,
      rendered,
      services: services.interfaces,
      egress: context.egress.map(parseEgress),
      work: { path: begun.project.path, real: await workFolder(begun.project, this.#options.folders) },
      bin: await this.#options.guest.binFolder(driver.name),
      interactive: context.interactive,
    });
    const pump = await this.#pump(places);
    undo.push(() => pump.end());
    const sandbox = await driver.start(spec);
    undo.push(() => sandbox.stop(0));
    const started = {
      state: "running",
      driver: driver.name,
      sandbox: sandbox.name,
      handle: sandbox.handle,
    } as const;
    store.sessions.update(record.id, started);
    return this.#live({ ...record, ...started }, places, services, { sandbox, pump });
  }

  /** Deno's permissions alone hold an agent only where a person has asked for that (contract A.2). */
  #askedForDeno({ name, file }: AgentConfig): void {
    const { sandbox, denoDriverFor } = this.#options.configuration().main;
    if (sandbox === "deno" || denoDriverFor.includes(name)) return;
    throw new HandlerError(
      "denied",
      `the agent ${name} was not started: only Deno's permissions are here to confine it, and nobody asked for that`,
      {
        hint: `install podman or bubblewrap, or write denoDriverFor = ["${name}"] into config.toml`,
        where: { file },
      },
    );
  }

  async #render(begun: Begun, run: RunOptions, services: readonly AgentService[]): Promise<Rendered> {
    const { agent, project, places } = begun;
    const rendered = harnessOf(agent).render(agent, {
      prompt: run.prompt,
      args: run.args ?? [],
      services,
      home: AGENT_INSIDE.home,
      work: project.path,
    });
    await writeHomeFiles(places.home, rendered.files);
    return rendered;
  }

  async #adopt(record: SessionRecord, context: SessionContext): Promise<Sandbox | undefined> {
    const { driver, sandbox, handle } = record;
    if (driver === null || sandbox === null || handle === null) return undefined;
    const spec = { egress: context.egress.map(parseEgress) };
    return await this.#options.sandboxes.adopt(driver as Sandbox["driver"], sandbox, handle, spec);
  }

  async #pastExit({ driver, sandbox, handle }: SessionRecord): Promise<PastExit | undefined> {
    if (driver === null || sandbox === null || handle === null) return undefined;
    return await this.#options.sandboxes.pastExit(driver as Sandbox["driver"], sandbox, handle);
  }

  async #pump(places: SessionPlaces): Promise<LogPump> {
    const { secrets, clock, log } = this.#options;
    return await LogPump.start({
      output: places.output,
      checkpoint: places.checkpoint,
      log: await SessionLog.open(places.log),
      redact: secrets.redactStream(),
      clock,
      report: log,
    });
  }

  #live(
    record: SessionRecord,
    places: SessionPlaces,
    services: OpenServices | undefined,
    process: { readonly sandbox: Sandbox; readonly pump: LogPump } | undefined,
  ): LiveSession {
    const { log } = this.#options;
    return new LiveSession({
      record,
      places,
      services,
      process,
      log,
      ended: (change) => this.#ended(record.id, change),
    });
  }
}
