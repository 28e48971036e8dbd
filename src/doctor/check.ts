import { delay, errorText } from "../base/mod.ts";

/** What a check found. */
export interface Finding {
  /** `late`: it took too long, so nothing is known. */
  readonly state: "ok" | "warning" | "failed" | "late";
  readonly detail: string;
  /** What to do, as a command where one does it. */
  readonly hint: string | null;
}

/** A finding under its name. */
export interface Named extends Finding {
  readonly name: string;
}

/** One thing that is looked at. */
export interface Check {
  readonly name: string;
  /** One finding, or several that belong together, each with a name of its own. */
  run(): Promise<Finding | readonly Named[]>;
}

/** What works. */
export function ok(detail: string, hint: string | null = null): Finding {
  return { state: "ok", detail, hint };
}

/** What works less well than it could, or what a person may miss. */
export function warning(detail: string, hint: string | null): Finding {
  return { state: "warning", detail, hint };
}

/** What keeps Handler from working. */
export function failed(detail: string, hint: string | null): Finding {
  return { state: "failed", detail, hint };
}

/** Runs all checks side by side; one that takes longer than `limitMs` is `late`, one that breaks has failed. */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<readonly Named[]> {
  const findings = await Promise.all(checks.map(async (check) => {
    const found = await inTime(limitMs, check.run().catch(broken));
    if (found === undefined) return [{ name: check.name, ...late(limitMs) }];
    return "state" in found ? [{ name: check.name, ...found }] : found;
  }));
  return findings.flat();
}

/** A value, or undefined where it does not come in time. */
export async function inTime<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const waited = new AbortController();
  const timer = delay(limitMs, waited.signal).then(() => undefined, () => undefined);
  try {
    return await Promise.race([work, timer]);
  } finally {
    waited.abort();
  }
}

/** What is said of something that takes too long. */
export function late(limitMs: number): Finding {
  return {
    state: "late",
    detail: `it took more than ${Math.round(limitMs / 1000)} s, so it was left`,
    hint: null,
  };
}

function broken(error: unknown): Finding {
  return failed(errorText(error), null);
}
