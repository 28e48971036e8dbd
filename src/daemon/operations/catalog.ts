import { dirname } from "node:path";
import { HandlerError, isObject, type Json, ProblemList } from "../../base/mod.ts";
import type {
  BindingView,
  CheckReport,
  CompareReport,
  ConnectorView,
  InterfaceView,
  Operations,
  TrustView,
} from "../../api/mod.ts";
import { readText } from "../../platform/mod.ts";
import { egressText } from "../../sandbox/mod.ts";
import {
  type CaseReport,
  type ConformanceReport,
  type Connector,
  describeForTrust,
  type Interface,
  interfaceStub,
  lintInterface,
  publish,
  readPublished,
  toStored,
  trust,
} from "../../services/mod.ts";
import type { Parts } from "../assemble.ts";
import { homeFiles } from "../home.ts";
import { lineDifference } from "./difference.ts";
import { problemsOf } from "./problem.ts";
import { provenState } from "./proven.ts";
import { referenceText } from "./reference.ts";

type CatalogOperations = Pick<
  Operations,
  | "interfaces"
  | "interfaceCheck"
  | "interfaceStub"
  | "interfacePublish"
  | "connectors"
  | "connectorCheck"
  | "connectorCompare"
  | "connectorLog"
  | "connectorRestart"
  | "bindings"
  | "trustShow"
  | "trustSet"
>;

/** What is installed: interfaces, connectors, bindings, and whether they are proven and trusted. */
export function catalogOperations(parts: Parts): CatalogOperations {
  const { services, store, configuration } = parts;
  return {
    async interfaces() {
      const published = await allPublished(parts);
      return [...services.catalog.allInterfaces.values()].map((one) =>
        interfaceView(parts, one, published[one.id])
      );
    },
    async interfaceCheck(idOrFolder) {
      const folder = services.catalog.allInterfaces.get(idOrFolder)?.folder ?? idOrFolder;
      if (!folder.startsWith("/")) {
        throw unknown("interface", idOrFolder, services.catalog.allInterfaces.keys());
      }
      return (await lintInterface(folder)).flatMap(problemsOf);
    },
    async interfaceStub(id, name) {
      const definition = services.catalog.allInterfaces.get(id);
      if (!definition) throw unknown("interface", id, services.catalog.allInterfaces.keys());
      return interfaceStub(definition, name, await readText(`${parts.shipped.guest}/kit.js`));
    },
    async interfacePublish(id) {
      const definition = services.catalog.allInterfaces.get(id);
      if (!definition) throw unknown("interface", id, services.catalog.allInterfaces.keys());
      const published = await publish(dirname(dirname(definition.folder)), definition);
      parts.changes.tell("configuration");
      return interfaceView(parts, definition, published[id]);
    },
    connectors: () => {
      const all = [...services.catalog.allConnectors.values()];
      return Promise.resolve(all.map((connector) => connectorView(parts, connector)));
    },
    connectorCheck: (name, binding, onCase) => check(parts, name, binding, onCase),
    connectorCompare: (tool, input, scope, bindings) => compare(parts, tool, input, scope, bindings),
    connectorLog(binding) {
      const log = services.router.instances.log(binding);
      if (log === undefined) {
        throw new HandlerError("conflict", `no connector of the binding ${binding} has run yet`);
      }
      return Promise.resolve(parts.secrets.redact(log));
    },
    async connectorRestart(binding) {
      services.catalog.binding(binding);
      await services.router.instances.restart(binding);
    },
    bindings: () => {
      const all = [...configuration.current().bindings.values()];
      return Promise.resolve(all.map(({ name }) => bindingView(parts, name)));
    },
    async trustShow(name) {
      await services.reload(); // what is shown is what lies there now
      return trustViews(parts, name);
    },
    async trustSet(kind, name, hash) {
      const one = trustable(parts).find((other) => other.kind === kind && other.name === name)?.one;
      if (!one) {
        throw new HandlerError("not_found", `there is no ${kind} ${JSON.stringify(name)} of your own`);
      }
      trust(one, hash, store.trust);
      await services.reload();
      parts.changes.tell("configuration");
    },
  };
}

async function allPublished({ folders, shipped }: Parts) {
  const { userInterfaces } = homeFiles(folders);
  return { ...await readPublished(userInterfaces), ...await readPublished(shipped.interfaces) };
}

/** One interface as a person sees it. @throws {HandlerError} `not_found` */
export async function interfaceViewOf(parts: Parts, id: string): Promise<InterfaceView> {
  const { allInterfaces } = parts.services.catalog;
  const one = allInterfaces.get(id);
  if (!one) throw unknown("interface", id, allInterfaces.keys());
  return interfaceView(parts, one, (await allPublished(parts))[id]);
}

function unknown(what: string, name: string, known: Iterable<string>): HandlerError {
  const hint = `known: ${[...known].join(", ") || "none"}`;
  return new HandlerError("not_found", `there is no ${what} ${JSON.stringify(name)}`, { hint });
}

function interfaceView(parts: Parts, one: Interface, published: string | undefined): InterfaceView {
  const { catalog } = parts.services;
  const implementing = [...catalog.allConnectors.values()].filter((connector) =>
    connector.implements.includes(one.id)
  );
  const fitting = [...catalog.bindings].filter(([, check]) =>
    check.ok && check.binding.connector.implements.includes(one.id)
  );
  return {
    id: one.id,
    description: one.description,
    hash: one.hash,
    origin: one.origin,
    state: interfaceState(parts, one, published),
    tools: one.tools.map(({ name, description }) => ({ name, description })),
    errors: one.errors,
    limits: { ...one.limits },
    connectors: implementing.map(({ name }) => name),
    bindings: fitting.map(([name]) => name),
    folder: one.folder,
    skill: one.skill,
  };
}

function interfaceState(parts: Parts, one: Interface, published: string | undefined): InterfaceView["state"] {
  if (one.origin === "user" && !parts.services.catalog.interfaces.has(one.id)) return "untrusted";
  if (published === undefined) return "draft";
  return published === one.hash ? "published" : "changed";
}

function connectorView(parts: Parts, connector: Connector): ConnectorView {
  const { catalog } = parts.services;
  const bound = [...catalog.bindings].filter(([, check]) =>
    check.ok && check.binding.connector.name === connector.name
  );
  return {
    name: connector.name,
    description: connector.description,
    implements: connector.implements,
    egress: connector.egress,
    hash: connector.hash,
    origin: connector.origin,
    trusted: catalog.connectors.has(connector.name),
    runtime: connector.runtime.kind,
    secretSlots: Object.entries(connector.secretSlots).map(([name, { required, description }]) => {
      return { name, required, description };
    }),
    settings: Object.entries(connector.settings).map(
      ([name, { required, description, type, default: fallback }]) => {
        return { name, required, description, type, default: fallback ?? null };
      },
    ),
    bindings: bound.map(([name]) => name),
    proven: bound.flatMap(([name, check]) =>
      connector.implements.map((id) => provenState(parts, connector, name, check, id))
    ),
    folder: connector.folder,
  };
}

/** One binding as a person sees it; secrets as references. */
export function bindingView(parts: Parts, name: string): BindingView {
  const config = parts.configuration.current().bindings.get(name);
  if (!config) throw unknown("binding", name, parts.configuration.current().bindings.keys());
  const check = parts.services.catalog.bindings.get(name);
  return {
    name,
    description: config.description,
    connector: config.uses.name,
    file: config.file,
    settings: config.settings,
    prices: config.prices,
    secrets: Object.fromEntries(
      Object.entries(config.secrets).map(([slot, reference]) => [slot, referenceText(reference)]),
    ),
    implements: check?.ok ? check.binding.connector.implements : [],
    egress: check?.ok ? check.binding.egress.map(egressText) : [],
    usedBy: usersOf(parts, name),
    problems: check && !check.ok ? check.problems.flatMap(problemsOf) : [],
  };
}

/** Agents and projects that have chosen a binding, as `agent clerk`. */
export function usersOf({ configuration }: Parts, binding: string): readonly string[] {
  const { agents, projects } = configuration.current();
  const chose = (one: { services: Readonly<Record<string, readonly string[]>> }) => {
    return Object.values(one.services).some((names) => names.includes(binding));
  };
  return [
    ...[...agents.values()].filter(chose).map(({ name }) => `agent ${name}`),
    ...[...projects.values()].filter(chose).map(({ name }) => `project ${name}`),
  ];
}

async function check(
  parts: Parts,
  name: string,
  given: string | null,
  onCase: (line: string) => void,
): Promise<CheckReport> {
  await parts.services.reload(); // what is checked is what lies there now
  const connector = countingConnector(parts, name);
  const binding = given ?? bindingFor(parts, connector);
  const reports = await parts.services.checkConnector({
    connector: name,
    binding,
    onCase: (id, one) => onCase(caseLine(id, one)),
    signal: new AbortController().signal,
  });
  for (const report of reports) parts.store.conformance.save(toStored(report));
  parts.changes.tell("connectors", binding);
  return {
    schema: 1,
    connector: name,
    binding,
    passed: reports.every(({ passed }) => passed),
    interfaces: reports.map(interfaceReport),
  };
}

function countingConnector({ services: { catalog } }: Parts, name: string): Connector {
  const connector = catalog.connectors.get(name);
  if (connector) return connector;
  if (!catalog.allConnectors.has(name)) throw unknown("connector", name, catalog.connectors.keys());
  throw new HandlerError("denied", `the connector ${name} is not trusted as it is now`, {
    hint: `look at it: handler trust ${name}`,
  });
}

function bindingFor(parts: Parts, connector: Connector): string {
  const bound = [...parts.services.catalog.bindings]
    .flatMap(([name, one]) => one.ok && one.binding.connector.name === connector.name ? [name] : []);
  if (bound.length === 1) return bound[0]!;
  const found = bound.length === 0 ? "there is none" : `there are ${bound.join(", ")}`;
  throw new HandlerError("usage", `a check needs one binding of ${connector.name}, ${found}`, {
    hint: bound.length === 0
      ? `make one: handler binding add NAME --connector ${connector.name}`
      : `say which: --binding ${bound[0]}`,
  });
}

function caseLine(id: string, { name, passed, durationMs, findings }: CaseReport): string {
  const found = findings.map(({ at, message }) => `\n    ${at}: ${message}`).join("");
  return `${passed ? "passed" : "FAILED"}  ${id}  ${name}  ${durationMs} ms${found}`;
}

function interfaceReport(report: ConformanceReport): CheckReport["interfaces"][number] {
  return {
    id: report.interfaceId,
    cases: report.cases.map(({ name, passed, durationMs, findings }) => ({
      name,
      state: passed ? "passed" : "failed",
      ms: durationMs,
      findings: findings.map(({ at, message }) => `${at}: ${message}`),
    })),
    problems: report.unmet.map((code) => `the error ${code} is neither provoked by a case nor excused`),
  };
}

async function compare(
  parts: Parts,
  tool: string,
  input: Json,
  scope: string,
  bindings: readonly [string, string],
): Promise<CompareReport> {
  if (!isObject(input)) throw new HandlerError("usage", "the input of a tool is a JSON object");
  if (!scope.startsWith("/")) {
    throw new HandlerError("usage", "the folder of the input's files is an absolute path");
  }
  const { signal } = new AbortController();
  const sides = [];
  for (const binding of bindings) {
    const call = { caller: "compare" as const, binding, tool, input, scope, signal };
    const { ms, units, error, result } = await parts.services.callOnce(call);
    sides.push({ binding, ms, units, error: error?.code ?? null, result });
  }
  const texts = sides.map(({ result, error }) => error === null ? JSON.stringify(result, null, 2) : error);
  return { schema: 1, tool, sides, difference: lineDifference(texts[0]!, texts[1]!) };
}

interface Trustable {
  readonly kind: "interface" | "connector";
  readonly name: string;
  readonly one: Interface | Connector;
}

function trustable({ services: { catalog } }: Parts): readonly Trustable[] {
  const interfaces = [...catalog.allInterfaces].map(([name, one]) => ({
    kind: "interface" as const,
    name,
    one,
  }));
  const connectors = [...catalog.allConnectors].map(([name, one]) => ({
    kind: "connector" as const,
    name,
    one,
  }));
  return [...interfaces, ...connectors].filter(({ one }) => one.origin === "user");
}

function trustViews(parts: Parts, name: string): readonly TrustView[] {
  const fits = (other: string) => other === name || other.startsWith(`${name}/`);
  const found = trustable(parts).filter((one) => fits(one.name));
  if (found.length > 0) {
    return found.map(({ kind, name, one }) => {
      const { hash, sections } = describeForTrust(one);
      const text = sections.map((section) => `${section.title}\n${section.text}`).join("\n\n");
      return { kind, name, hash, trustedHash: parts.store.trust.get(kind, name)?.hash ?? null, text };
    });
  }
  const broken = parts.services.catalog.problems.filter(({ where }) => where?.file?.includes(`/${name}/`));
  if (broken.length > 0) throw new ProblemList(name, broken);
  throw unknown("interface or connector of your own", name, trustable(parts).map((one) => one.name));
}
