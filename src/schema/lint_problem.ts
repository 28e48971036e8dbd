/** Which of a tool's two schemas. */
export type SchemaSide = "input" | "output";

/** What the linter is told of a schema besides the schema. */
export interface LintContext {
  readonly tool: string;
  readonly side: SchemaSide;
}

/** One thing that is wrong with a schema (contract S.8). */
export interface LintProblem extends LintContext {
  /** JSON pointer into the schema. */
  readonly pointer: string;
  /** A short name of the rule, for tests and for `--json`. */
  readonly rule: string;
  /** The rule and what was found, as it stands after the pointer. */
  readonly message: string;
  readonly hint: string | undefined;
}

/** Collects problems of one schema. */
export class LintReport {
  readonly problems: LintProblem[] = [];

  constructor(readonly context: LintContext) {}

  add(pointer: string, rule: string, message: string, hint?: string): void {
    this.problems.push({ ...this.context, pointer, rule, message, hint });
  }
}
