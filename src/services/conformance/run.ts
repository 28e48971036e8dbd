import { type Clock, errorText, type JsonObject, within } from "../../base/mod.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { Connector } from "../connector.ts";
import type { Interface } from "../interface.ts";
import { unmetErrors } from "./case_rules.ts";
import { evaluate } from "./evaluate.ts";
import type { Answer, ConformanceCase, ConformanceCases, Finding } from "./expectation.ts";
import { CheckScope } from "./scope.ts";
import type { CaseReport, ConformanceReport } from "./report.ts";

/** What is checked against what. */
export interface CheckSubject {
  readonly connector: Pick<Connector, "name" | "hash">;
  readonly binding: Pick<ResolvedBinding, "name" | "hash">;
  readonly definition: Interface;
  readonly cases: ConformanceCases;
}

/** What a check needs from outside. */
export interface CheckPorts {
  readonly clock: Clock;
  /** An empty folder that the router reads and writes files in for this caller; fixtures are laid there. */
  readonly scope: string;
  /** One call through the real router, with files named as the input names them. */
  call(tool: string, input: JsonObject): Promise<Answer>;
  /** Told after each case, for a person who waits. */
  onCase(report: CaseReport): void;
  readonly signal: AbortSignal;
}

/** How long after the interface's own limit an answer is given up on: the router must have ended the call before. */
const GRACE_MS = 30_000;

/**
 * Runs every case of an interface against a connector (contract S.17), one after the other, in the order of the file.
 * @throws the signal's reason when it is aborted; a connector's failures are findings, never thrown
 */
export async function runConformance(subject: CheckSubject, ports: CheckPorts): Promise<ConformanceReport> {
  const { connector, binding, definition, cases } = subject;
  const ranAt = ports.clock.now();
  const began = ports.clock.monotonic();
  const scope = await CheckScope.lay(definition, ports.scope);
  const reports: CaseReport[] = [];
  for (const one of cases.cases) {
    ports.signal.throwIfAborted();
    const report = await runCase(one, definition, scope, ports);
    ports.onCase(report);
    reports.push(report);
  }
  const unmet = unmetErrors(cases, Object.keys(definition.errors));
  return {
    schema: 1,
    connector: connector.name,
    connectorHash: connector.hash,
    binding: binding.name,
    bindingHash: binding.hash,
    interfaceId: definition.id,
    interfaceHash: definition.hash,
    ranAt,
    durationMs: Math.round(ports.clock.monotonic() - began),
    passed: unmet.length === 0 && reports.every(({ passed }) => passed),
    cases: reports,
    unprovoked: cases.unprovoked,
    unmet,
  };
}

async function runCase(
  one: ConformanceCase,
  definition: Interface,
  scope: CheckScope,
  ports: CheckPorts,
): Promise<CaseReport> {
  await scope.prepare(one);
  const began = ports.clock.monotonic();
  const { answer, findings } = await ask(one, definition, scope, ports);
  const durationMs = Math.round(ports.clock.monotonic() - began);
  await scope.clear(one);
  const error = answer?.kind === "error" ? answer.code : null;
  return { name: one.name, tool: one.tool, passed: findings.length === 0, durationMs, error, findings };
}

async function ask(
  one: ConformanceCase,
  { limits }: Interface,
  scope: CheckScope,
  ports: CheckPorts,
): Promise<{ readonly answer: Answer | undefined; readonly findings: readonly Finding[] }> {
  try {
    const patience = limits.timeoutSeconds * 1000 + GRACE_MS;
    const answer = await within(patience, "the call", ports.call(one.tool, one.input));
    return { answer, findings: evaluate(one, answer, await scope.outputs(one)) };
  } catch (error) {
    ports.signal.throwIfAborted();
    return { answer: undefined, findings: [{ at: "call", message: `no answer: ${errorText(error)}` }] };
  }
}
