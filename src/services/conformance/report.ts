import type { ConformanceResult } from "../../store/mod.ts";
import type { Finding, Unprovoked } from "./expectation.ts";

/** How one case went. */
export interface CaseReport {
  readonly name: string;
  readonly tool: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** The code that the call failed with; null where it succeeded. */
  readonly error: string | null;
  /** Empty where the case passed. */
  readonly findings: readonly Finding[];
}

/** What a check found, as `handler connector check --json` prints it. It proves what its hashes name, nothing else. */
export interface ConformanceReport {
  readonly schema: 1;
  readonly connector: string;
  readonly connectorHash: string;
  readonly binding: string;
  readonly bindingHash: string;
  /** `ocr/v1` */
  readonly interfaceId: string;
  readonly interfaceHash: string;
  /** Milliseconds since 1970. */
  readonly ranAt: number;
  readonly durationMs: number;
  /** Every case passed, and every declared error is provoked or excused. */
  readonly passed: boolean;
  readonly cases: readonly CaseReport[];
  /** Errors that no case provokes, with the reason. */
  readonly unprovoked: readonly Unprovoked[];
  /** Declared errors that are neither provoked nor excused. */
  readonly unmet: readonly string[];
}

/** A report as the store keeps it. */
export function toStored(report: ConformanceReport): ConformanceResult {
  const { schema: _, durationMs: __, unprovoked: ___, unmet: ____, cases, ...bound } = report;
  return {
    ...bound,
    cases: cases.map(({ name, passed, durationMs, findings }) => ({
      name,
      passed,
      durationMs,
      detail: findings.length === 0
        ? null
        : findings.map(({ at, message }) => `${at}: ${message}`).join("; "),
    })),
  };
}
