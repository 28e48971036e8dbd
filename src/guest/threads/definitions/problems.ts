import type { DefinitionProblem } from "../../../wire/mod.ts";

/** The problems found so far. */
export class Problems {
  readonly #all: DefinitionProblem[] = [];

  error(file: string, path: string, message: string): void {
    this.#all.push({ file, path, message, severity: "error" });
  }

  warn(file: string, path: string, message: string): void {
    this.#all.push({ file, path, message, severity: "warning" });
  }

  /** Leaves out what was said before: a broken file is found again by each that imports it. */
  add(problem: DefinitionProblem): void {
    const text = JSON.stringify(problem);
    if (!this.#all.some((other) => JSON.stringify(other) === text)) this.#all.push(problem);
  }

  hasErrors(file: string): boolean {
    return this.#all.some((problem) => problem.file === file && problem.severity === "error");
  }

  /** By file, and there in the order of finding. */
  sorted(): readonly DefinitionProblem[] {
    return this.#all.toSorted((one, other) => one.file < other.file ? -1 : one.file > other.file ? 1 : 0);
  }
}
