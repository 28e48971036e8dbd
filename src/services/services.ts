import {
  asHandlerError,
  type Clock,
  HandlerError,
  type JsonObject,
  type Logger,
  newId,
} from "../base/mod.ts";
import type { BindingConfig, SecretReference, Selection } from "../config/mod.ts";
import { ensureFolder, removeAll } from "../platform/mod.ts";
import type { Sandbox, SandboxSpec } from "../sandbox/mod.ts";
import type { CallRecord } from "../store/mod.ts";
import { checkImplements } from "./bindings.ts";
import { Catalog, type CatalogFolders } from "./catalog.ts";
import { askThroughRouter } from "./check_caller.ts";
import type { Connector } from "./connector.ts";
import { type ConnectorFolders, connectorSandbox } from "./connector_sandbox.ts";
import { refuseChanged } from "./connectors.ts";
import { loadCases } from "./conformance/cases.ts";
import type { CaseReport, ConformanceReport } from "./conformance/report.ts";
import { runConformance } from "./conformance/run.ts";
import { meantHint } from "./hints.ts";
import type { Caller, SecretLease, ServedInterface } from "./router/ports.ts";
import { type CallerSockets, Router } from "./router/router.ts";
import type { Telemetry } from "./telemetry.ts";
import type { TrustStore } from "./trust.ts";

/** What services are made of; every field is required. */
export interface ServicesPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly runtimeFolder: string;
  readonly catalogFolders: CatalogFolders;
  readonly connectorFolders: ConnectorFolders;
  readonly trust: Pick<TrustStore, "isTrusted">;
  /** The bindings as configured now. */
  bindingConfigs(): ReadonlyMap<string, BindingConfig>;
  /** Starts the sandbox of a connector. @throws {HandlerError} `denied` where it may not run under the driver here */
  startSandbox(spec: SandboxSpec, connector: Connector): Promise<Sandbox>;
  resolveSecret(reference: SecretReference, slot: string): Promise<SecretLease>;
  /** A text with every secret that lives now taken out. */
  redact(text: string): string;
  hostsSince(sandbox: string, since: number): readonly string[];
  idleMs(): number;
  record(record: CallRecord): void;
  /** A binding's connector was started, has ended or did not start. */
  connectorChanged(binding: string): void;
  readonly telemetry: Telemetry | undefined;
}

/** Who calls, and what was chosen for it. */
export interface ServiceCaller {
  /** `agent:clerk`, `app:notes`. */
  readonly id: string;
  readonly session: string;
  /** The folder that its files must lie in. */
  readonly scope: string;
  /** Interfaces such as `ocr/v1` that settle a version. */
  readonly requires: readonly string[];
  /** Asked at each call, so that a changed choice needs no new session. */
  selection(): Selection;
  readonly privacy: "local" | "any";
  /**
   * How many calls of an interface the run has made already, for `maxCallsPerRun`; none where it is left out. With
   * `connection` each connection is a run: a client outside any sandbox makes one for each of its own.
   */
  readonly run?: "connection" | ((interfaceId: string) => number);
}

/** A caller's services: what is served, and how to end it. */
export interface OpenServices {
  readonly interfaces: readonly { readonly name: string; readonly id: string; readonly skill: string }[];
  close(): Promise<void>;
}

/** One call of a tool that the daemon makes by itself, on one binding. */
export interface OwnCall {
  /** Who is named in the record. */
  readonly caller: "compare" | "desk";
  readonly binding: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** The folder that its files must lie in. */
  readonly scope: string;
  /** Cancels the call. */
  readonly signal: AbortSignal;
}

/** What came of an {@linkcode OwnCall}. */
export interface OwnCallReport {
  readonly binding: string;
  readonly ms: number;
  readonly units: Readonly<Record<string, number>>;
  /** `host:port` that the connector had open or reached meanwhile. */
  readonly hosts: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** null where it failed. */
  readonly result: JsonObject | null;
}

/** Interfaces, connectors and bindings, and the router that joins them. */
export class Services {
  readonly router: Router;
  readonly #ports: ServicesPorts;
  #catalog: Catalog;
  #sandboxes = 0;
  /** Records of checks, for whoever waits for them. */
  readonly #heard = new Map<string, (record: CallRecord) => void>();

  private constructor(ports: ServicesPorts, catalog: Catalog) {
    this.#ports = ports;
    this.#catalog = catalog;
    this.router = new Router({
      clock: ports.clock,
      log: ports.log,
      runtimeFolder: ports.runtimeFolder,
      startSandbox: (spec, connector) => ports.startSandbox(spec, connector),
      sandboxSpec: async (binding) => {
        await refuseChanged(binding.connector);
        return connectorSandbox(binding, ports.connectorFolders, ++this.#sandboxes);
      },
      resolveSecret: (reference, slot) => ports.resolveSecret(reference, slot),
      redact: (text) => ports.redact(text),
      resolveBinding: (name) => this.#catalog.binding(name),
      requiredTools: (binding) => this.#catalog.toolsOf(binding),
      hostsSince: (sandbox, since) => ports.hostsSince(sandbox, since),
      idleMs: () => ports.idleMs(),
      record: (record) => {
        this.#heard.get(record.caller)?.(record);
        ports.record({ ...record, caller: shownCaller(record.caller) });
      },
      connectorChanged: (binding) => ports.connectorChanged(binding),
      telemetry: ports.telemetry,
    });
  }

  /** Reads the catalog and starts nothing. */
  static async load(ports: ServicesPorts): Promise<Services> {
    const catalog = await Catalog.load(ports.catalogFolders, ports.trust, ports.bindingConfigs());
    return new Services(ports, catalog);
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Reads the catalog anew, swaps it in, and swaps the connectors whose binding changed. Returns what went wrong. */
  async reload(): Promise<readonly HandlerError[]> {
    const configs = this.#ports.bindingConfigs();
    const swap = await this.prepare(configs);
    if (configs !== this.#ports.bindingConfigs()) return await this.reload();
    swap();
    return await this.refresh();
  }

  /** Reads the catalog for bindings that are not in force yet; what it gives swaps it in. */
  async prepare(bindings: ReadonlyMap<string, BindingConfig>): Promise<() => void> {
    const { catalogFolders, trust } = this.#ports;
    const catalog = await Catalog.load(catalogFolders, trust, bindings);
    return () => this.#catalog = catalog;
  }

  /** Swaps the connectors whose binding changed. Returns what went wrong. */
  refresh(): Promise<readonly HandlerError[]> {
    return this.router.instances.refresh();
  }

  /** Everything that is wrong with a selection (contract G.3). */
  check(needs: {
    readonly file: string;
    readonly requires: readonly string[];
    readonly selection: Selection;
    readonly privacy: "local" | "any";
  }): Promise<readonly HandlerError[]> {
    const ids = this.#catalog.selected(needs.selection, needs.requires);
    const problems = Object.entries(needs.selection).flatMap(([name, bindings]) => {
      const where = { file: needs.file, key: `services.${name}` };
      const id = ids.get(name);
      if (id === undefined || !this.#catalog.interfaces.has(id)) return [this.#noInterface(name, id, where)];
      const unfit = bindings.map((binding) => this.#unfit(binding, id, where));
      return [
        ...unfit.filter((problem) => problem !== undefined),
        ...this.#private(needs.privacy, bindings, where),
      ];
    });
    return Promise.resolve(problems);
  }

  #noInterface(name: string, id: string | undefined, where: { file: string; key: string }): HandlerError {
    const names = [...new Set([...this.#catalog.interfaces.values()].map((one) => one.name))];
    const untrusted = this.#catalog.untrusted.find((one) => one.kind === "interface" && one.name === id);
    if (untrusted) {
      const hint = `look at it and trust it: handler trust ${untrusted.name}`;
      return new HandlerError("denied", `the interface ${untrusted.name} is not trusted yet`, {
        where,
        hint,
      });
    }
    const message = `a service is an interface that is there, found ${JSON.stringify(id ?? name)}`;
    return new HandlerError("invalid", message, { where, ...meantHint(name, names) });
  }

  #unfit(binding: string, id: string, where: { file: string; key: string }): HandlerError | undefined {
    try {
      const problem = checkImplements(this.#catalog.binding(binding), id);
      return problem && new HandlerError(problem.kind, problem.message, { where });
    } catch (error) {
      const { kind, message, hint } = asHandlerError(error);
      return new HandlerError(kind, `binding ${binding}: ${message}`, { where, ...(hint ? { hint } : {}) });
    }
  }

  /** With `privacy = "local"` at least one binding must be able to serve (contract S.18). */
  #private(privacy: "local" | "any", bindings: readonly string[], where: { file: string; key: string }) {
    if (privacy !== "local" || bindings.length === 0) return [];
    const local = bindings.some((name) => {
      const check = this.#catalog.bindings.get(name);
      return check?.ok && check.binding.egress.length === 0;
    });
    if (local) return [];
    const message = `privacy is "local", and every binding chosen has egress: ${bindings.join(", ")}`;
    return [
      new HandlerError("denied", message, {
        where,
        hint: "choose a binding whose connector reaches nothing",
      }),
    ];
  }

  /** Opens `<interface>.sock` in `folder` for each selected interface. */
  async open(caller: ServiceCaller, folder: string): Promise<OpenServices> {
    const ids = this.#catalog.selected(caller.selection(), caller.requires);
    const served = new Map([...ids].map(([name, id]) => [name, this.#catalog.served(id)]));
    const bindingsOf = (id: string) => caller.selection()[id.split("/")[0]!] ?? [];
    const sockets = await this.router.open(
      { ...callerFields(caller), selection: bindingsOf },
      folder,
      served,
    );
    const interfaces = [...served].map(([name, { definition }]) => {
      return { name, id: definition.id, skill: definition.skill };
    });
    return { interfaces, close: () => sockets.close() };
  }

  /**
   * Runs the conformance cases of everything that a connector implements, with one binding, through the real router
   * (contract S.17).
   */
  async checkConnector(options: {
    readonly connector: string;
    readonly binding: string;
    readonly onCase: (interfaceId: string, report: CaseReport) => void;
    readonly signal: AbortSignal;
  }): Promise<readonly ConformanceReport[]> {
    const binding = this.#catalog.binding(options.binding);
    if (binding.connector.name !== options.connector) {
      const message = `the binding ${binding.name} is of the connector ${binding.connector.name}`;
      throw new HandlerError("usage", `${message}, not of ${options.connector}`);
    }
    const reports: ConformanceReport[] = [];
    for (const id of binding.connector.implements) {
      const { definition } = this.#catalog.served(id);
      const cases = await loadCases(definition);
      const subject = { connector: binding.connector, binding, definition, cases };
      reports.push(
        await this.#asCaller(
          "check",
          [binding.name],
          id,
          async (socket, scope, heard) =>
            await runConformance(subject, {
              clock: this.#ports.clock,
              scope,
              call: (tool, input) => askThroughRouter(socket, tool, input, heard, options.signal),
              onCase: (report) => options.onCase(id, report),
              signal: options.signal,
            }),
        ),
      );
    }
    return reports;
  }

  /** The interface of a tool that a binding serves, with its schemas. @throws {HandlerError} `not_found` */
  servedBy(bindingName: string, tool: string): ServedInterface {
    const { connector } = this.#catalog.binding(bindingName);
    const served = connector.implements.map((id) => this.#catalog.served(id)).find(({ tools }) =>
      tools.has(tool)
    );
    if (served) return served;
    throw new HandlerError("not_found", `the connector ${connector.name} implements no tool ${tool}`);
  }

  /** One real call on one binding: for `connector compare` (contract S.18), and for what a person tries. */
  async callOnce({ caller, binding, tool, input, scope, signal }: OwnCall): Promise<OwnCallReport> {
    const { definition: { id } } = this.servedBy(binding, tool);
    return await this.#asCaller(caller, [binding], id, async (socket, _, heard) => {
      const record: { last?: CallRecord } = {};
      const listen = async () => record.last = await heard();
      const answer = await askThroughRouter(socket, tool, input, listen, signal);
      const { totalMs: ms = 0, units = {}, hosts = [] } = record.last ?? {};
      const made = { binding, ms, units, hosts };
      if (answer.kind === "result") return { ...made, error: null, result: answer.value };
      return { ...made, error: { code: answer.code, message: answer.message }, result: null };
    }, scope);
  }

  /** Opens sockets for a passing caller of the daemon's own, in a scope of its own where none is given. */
  async #asCaller<T>(
    what: "check" | OwnCall["caller"],
    bindings: readonly string[],
    id: string,
    work: (socket: string, scope: string, heard: () => Promise<CallRecord>) => Promise<T>,
    givenScope?: string,
  ): Promise<T> {
    const serial = newId().slice(-11);
    const folder = `${this.#ports.runtimeFolder}/k/${serial}`;
    const scope = givenScope ?? `${folder}/scope`;
    const caller = `${what}:${serial}`;
    const records: CallRecord[] = [];
    let waiting: ((record: CallRecord) => void) | undefined;
    this.#heard.set(caller, (record) => waiting ? waiting(record) : records.push(record));
    const heard = () => {
      const known = records.shift();
      return known ? Promise.resolve(known) : new Promise<CallRecord>((resolve) => {
        waiting = (record) => {
          waiting = undefined;
          resolve(record);
        };
      });
    };
    let sockets: CallerSockets | undefined;
    try {
      await ensureFolder(scope);
      const served = this.#unlimited(id);
      const who: Caller = { id: caller, session: null, scope, selection: () => bindings, privacy: "any" };
      sockets = await this.router.open(who, `${folder}/s`, new Map([["check", served]]));
      return await work(`${folder}/s/check.sock`, scope, heard);
    } finally {
      await sockets?.close();
      this.#heard.delete(caller);
      await removeAll(folder);
    }
  }

  /** A check makes as many calls as it has cases; a run's limit is for agents. */
  #unlimited(id: string) {
    const served = this.#catalog.served(id);
    const limits = { ...served.definition.limits, maxCallsPerRun: 0 };
    return { ...served, definition: { ...served.definition, limits } };
  }

  /** Removes the run folders of connectors and checks of a dead daemon, staged files among them; none may run yet. */
  async reap(): Promise<void> {
    for (const folder of ["c", "k"]) await removeAll(`${this.#ports.runtimeFolder}/${folder}`);
  }

  /** Closes every socket and stops every connector. */
  async close(): Promise<void> {
    await this.router.close();
  }
}

function callerFields({ id, session, scope, privacy, run }: ServiceCaller): Omit<Caller, "selection"> {
  return { id, session, scope, privacy, ...(run === undefined ? {} : { run }) };
}

/** Callers of the daemon's own have a serial, so that each hears of its own calls; nobody would look for it later. */
function shownCaller(caller: string): string {
  return /^(check|compare|desk):/.exec(caller)?.[1] ?? caller;
}
