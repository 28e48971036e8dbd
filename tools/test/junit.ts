/** How the tests of a run ended. */
export interface Outcome {
  readonly passed: number;
  /** The names of the tests that failed, each with its file. */
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

/** The outcome of nothing. */
export const NOTHING: Outcome = { passed: 0, failed: [], skipped: [] };

/** Reads a JUnit report as `deno test` writes it. */
export function readReport(xml: string): Outcome {
  const outcomes = [...xml.matchAll(/<testcase ([^>]*)>([\s\S]*?)<\/testcase>/g)].map(
    ([, attributes = "", inside = ""]) => ({
      name: `${attribute(attributes, "classname")}: ${attribute(attributes, "name")}`,
      failed: /<(failure|error)[ >]/.test(inside),
      skipped: /<skipped\s*\/?>/.test(inside),
    }),
  );
  return {
    passed: outcomes.filter(({ failed, skipped }) => !failed && !skipped).length,
    failed: outcomes.filter(({ failed }) => failed).map(({ name }) => name),
    skipped: outcomes.filter(({ failed, skipped }) => skipped && !failed).map(({ name }) => name),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function attribute(attributes: string, name: string): string {
  const text = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? "");
}

/** Two outcomes as one. */
export function together(a: Outcome, b: Outcome): Outcome {
  return {
    passed: a.passed + b.passed,
    failed: [...a.failed, ...b.failed],
    skipped: [...a.skipped, ...b.skipped],
  };
}

/** The line that a machine reads. */
export function summary({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
}
