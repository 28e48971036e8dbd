import { HANDLER_VERSION, type HandlerError, ProblemList } from "../../base/mod.ts";
import type { DoctorCheck, Operations, Status } from "../../api/mod.ts";
import { checkMachine } from "../../doctor/mod.ts";
import { ownPid, residentBytes } from "../../platform/mod.ts";
import type { Parts } from "../assemble.ts";
import { problemsOf } from "./problem.ts";
import { threadChecks } from "./thread_checks.ts";

type DaemonOperations = Pick<Operations, "status" | "doctor" | "shutDown">;

/** How the daemon stands and how the machine suits it. */
export function daemonOperations(parts: Parts, stop: () => void): DaemonOperations {
  return {
    status: () => status(parts),
    doctor: () => doctor(parts),
    shutDown() {
      // the answer leaves before the door closes
      setTimeout(stop, 50);
      return Promise.resolve();
    },
  };
}

/** How long one check of the doctor may take, in milliseconds. */
const CHECK_MS = 6_000;
const MANY = { limit: 1000, offset: 0 } as const;

async function status(parts: Parts): Promise<Status> {
  const { catalog, router } = parts.services;
  const { agents, bindings } = parts.configuration.current();
  return {
    version: HANDLER_VERSION,
    pid: ownPid(),
    startedAt: parts.startedAt,
    sandbox: await sandboxState(parts),
    interfaces: catalog.interfaces.size,
    connectors: catalog.connectors.size,
    bindings: bindings.size,
    agents: agents.size,
    sessions: parts.agents.list({ all: false }).length,
    threads: {
      running: parts.threads.list({ status: "running", ...MANY }).length,
      awaiting: parts.threads.list({ status: "awaiting_human", parent: null, ...MANY }).length,
    },
    running: router.instances.status().map(({ binding, connector, state, inFlight, lastFailure }) => {
      return { binding, connector, state, inFlight, lastFailure };
    }),
    desk: deskState(parts),
    problems: [...configurationProblems(parts), ...catalog.problems].flatMap(problemsOf),
    memoryBytes: residentBytes(),
  };
}

function deskState({ origins }: Parts): Status["desk"] {
  return { url: `http://localhost:${origins.port}/`, problem: origins.problem ?? null };
}

/** Whether browsers get to the page and the apps now; why not is the machine's business, see its check of the port. */
function deskCheck(parts: Parts): DoctorCheck {
  const { url, problem } = deskState(parts);
  const name = "page";
  if (problem === null) return { name, state: "ok", detail: `handlerd serves it at ${url}`, hint: null };
  const hint = "`handler open` tries again once the port is free";
  return { name, state: "failed", detail: `neither it nor apps are served: ${problem}`, hint };
}

function configurationProblems({ configuration }: Parts): readonly HandlerError[] {
  const problem = configuration.problem();
  return problem ? [problem] : [];
}

async function sandboxState({ sandboxes, askedSandbox }: Parts): Promise<Status["sandbox"]> {
  try {
    const driver = await sandboxes.chosen();
    return {
      driver: driver.name,
      why: askedSandbox === "auto" ? "the best that works here" : "as asked for",
      notStopped: driver.notStopped(),
    };
  } catch (error) {
    return { driver: "none", why: (error as HandlerError).message, notStopped: [] };
  }
}

async function doctor(parts: Parts): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  checks.push(...problemChecks("configuration", configurationProblems(parts)));
  checks.push(...problemChecks("interfaces and connectors", parts.services.catalog.problems));
  const bindings = [...parts.services.catalog.bindings.values()].flatMap((check) =>
    check.ok ? [] : check.problems
  );
  checks.push(...problemChecks("bindings", bindings));
  checks.push(...await threadChecks(parts));
  const machine = checkMachine({
    folders: parts.folders,
    port: parts.origins.port,
    daemonPid: ownPid(),
    deno: parts.deno,
    builds: parts.shipped.connectorBuilds,
    asked: parts.askedSandbox,
    image: parts.configuration.current().main.image,
    driver: (name) => parts.sandboxes.driver(name),
    limitMs: CHECK_MS,
  });
  return [...checks, deskCheck(parts), modelCheck(parts), ...await machine];
}

/** Whether an agent that needs a model can get one. */
function modelCheck({ services, configuration }: Parts): DoctorCheck {
  const serving = [...configuration.current().bindings.values()].filter(({ uses }) =>
    services.catalog.connectors.get(uses.name)?.implements.some((id) => id.startsWith("llm/"))
  );
  const name = "models";
  if (serving.length > 0) {
    return { name, state: "ok", detail: `bound: ${serving.map((one) => one.name).join(", ")}`, hint: null };
  }
  const detail = "no binding serves llm/v1, so prompts and agents that ask for a model get none";
  return { name, state: "warning", detail, hint: "handler binding add NAME --connector llm-openai" };
}

function problemChecks(name: string, problems: readonly HandlerError[]): readonly DoctorCheck[] {
  if (problems.length === 0) return [{ name, state: "ok", detail: "no problems", hint: null }];
  return problemsOf(new ProblemList(name, problems)).map(({ where, message, hint }) => {
    return { name, state: "failed" as const, detail: where ? `${where}: ${message}` : message, hint };
  });
}
