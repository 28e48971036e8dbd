import type { Database, Row } from "../platform/mod.ts";
import { storing } from "./failure.ts";
import { number, parsed, text } from "./rows.ts";

/** How one case of an interface's conformance went. */
export interface ConformanceCase {
  readonly name: string;
  readonly passed: boolean;
  /** The rule that did not hold, in words; null where the case passed. */
  readonly detail: string | null;
  readonly durationMs: number;
}

/** What a result is bound to: it proves these very files and settings, nothing else (contract S.17). */
export interface ConformanceSubject {
  readonly connector: string;
  readonly connectorHash: string;
  readonly binding: string;
  readonly bindingHash: string;
  /** `ocr/v1` */
  readonly interfaceId: string;
  readonly interfaceHash: string;
}

/** One run of `handler connector check`. */
export interface ConformanceResult extends ConformanceSubject {
  /** Milliseconds since 1970. */
  readonly ranAt: number;
  readonly passed: boolean;
  readonly cases: readonly ConformanceCase[];
}

/** Results of conformance, the latest for each connector, binding and interface. */
export interface ConformanceRepository {
  save(result: ConformanceResult): void;
  /** The latest results, of one connector or of all. */
  latest(connector?: string): readonly ConformanceResult[];
  /** Whether the latest result passed and was made with exactly these hashes. */
  proven(subject: ConformanceSubject): boolean;
}

const UPSERT = `INSERT OR REPLACE INTO conformance
  (connector, connector_hash, binding, binding_hash, interface_id, interface_hash, ran_at, passed, cases)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The repository over an open database. */
export function conformanceRepository(db: Database): ConformanceRepository {
  return {
    save: (result) => storing("storing a conformance result", () => save(db, result)),
    latest: (connector) =>
      storing("reading conformance results", () =>
        db.all(
          "SELECT * FROM conformance WHERE ?1 IS NULL OR connector = ?1 ORDER BY connector, interface_id, binding",
          connector ?? null,
        ).map(toResult)),
    proven: (subject) => storing("reading conformance results", () => isProven(db, subject)),
  };
}

function save(db: Database, result: ConformanceResult): void {
  // deno-fmt-ignore
  db.run(UPSERT, result.connector, result.connectorHash, result.binding, result.bindingHash, result.interfaceId,
    result.interfaceHash, Math.round(result.ranAt), result.passed ? 1 : 0, JSON.stringify(result.cases));
}

function isProven(db: Database, subject: ConformanceSubject): boolean {
  const row = db.get(
    "SELECT * FROM conformance WHERE connector = ? AND binding = ? AND interface_id = ?",
    subject.connector,
    subject.binding,
    subject.interfaceId,
  );
  if (!row) return false;
  const last = toResult(row);
  return last.passed && last.connectorHash === subject.connectorHash &&
    last.bindingHash === subject.bindingHash && last.interfaceHash === subject.interfaceHash;
}

function toResult(row: Row): ConformanceResult {
  return {
    connector: text(row, "connector"),
    connectorHash: text(row, "connector_hash"),
    binding: text(row, "binding"),
    bindingHash: text(row, "binding_hash"),
    interfaceId: text(row, "interface_id"),
    interfaceHash: text(row, "interface_hash"),
    ranAt: number(row, "ran_at"),
    passed: number(row, "passed") === 1,
    cases: parsed<ConformanceCase[]>(row, "cases"),
  };
}
