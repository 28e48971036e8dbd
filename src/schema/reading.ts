import type { TomlPath } from "./toml_path.ts";

/** A problem before its path is turned into a line. */
export interface PathProblem {
  readonly path: TomlPath;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Where a kind reads at the moment, and where it says what is wrong there. */
export class Reading {
  constructor(readonly path: TomlPath, readonly problems: PathProblem[]) {}

  /** The same reading, one key or index further in. */
  in(step: string | number): Reading {
    return new Reading([...this.path, step], this.problems);
  }

  /** Notes a problem here; gives undefined, which is how a kind says that it has no value. */
  problem(message: string, hint?: string): undefined {
    this.problems.push({ path: this.path, message, hint });
    return undefined;
  }
}
