import {
  endGroup,
  ownProgram,
  readTextIfThere,
  removeQuietly,
  start,
  temporaryFolder,
} from "../../src/platform/mod.ts";
import { denoEnv } from "../denos.ts";
import { NOTHING, type Outcome, readReport, together } from "./junit.ts";
import type { TestRun } from "./plan.ts";

/** The longest that one run may take, and then to write its report. */
const LIMIT_MS = 12 * 60_000;
const REPORT_MS = 30_000;

/** What all runs share. */
export interface RunSettings {
  readonly filter: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs one plan's tests, their output passed on, and gives how each ended. */
export async function runTests(
  test: TestRun,
  settings: RunSettings,
  limitMs: number = LIMIT_MS,
): Promise<Outcome> {
  const folder = await temporaryFolder();
  try {
    const report = `${folder}/report.xml`;
    const code = await runDeno(argvFor(test, settings.filter, report), test.cwd, settings.env, limitMs);
    const outcome = readReport(await readTextIfThere(report) ?? "");
    if (code === 0 || outcome.failed.length > 0) return outcome;
    return together(outcome, { ...NOTHING, failed: [`${test.area}: the run itself ended with ${code}`] });
  } finally {
    await removeQuietly(folder);
  }
}

/** The leak sanitizers are on by default until Deno 2.7, and by flag since. */
export function argvFor(test: TestRun, filter: string | undefined, report: string): readonly string[] {
  const sanitizers = olderThan(Deno.version.deno, 2, 8) ? [] : ["--sanitize-ops", "--sanitize-resources"];
  return [
    ownProgram(),
    "test",
    "-A",
    "--no-check",
    "--no-prompt",
    ...sanitizers,
    ...(test.parallel ? ["--parallel"] : []),
    ...(filter === undefined ? [] : [`--filter=${filter}`]),
    `--junit-path=${report}`,
    ...test.paths,
  ];
}

function olderThan(version: string, major: number, minor: number): boolean {
  const [a = 0, b = 0] = version.split(".").map(Number);
  return a < major || (a === major && b < minor);
}

async function runDeno(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<number> {
  const child = start(argv, {
    cwd,
    env: { ...denoEnv(), ...env },
    inheritEnv: true,
    stdout: "inherit",
    stderr: "inherit",
  });
  // interrupted, it reports the tests that were still running as failed
  const late = setTimeout(() => endGroup(child.pid, "SIGINT"), limitMs);
  const gone = setTimeout(() => endGroup(child.pid, "SIGKILL"), limitMs + REPORT_MS);
  const stop = () => endGroup(child.pid, "SIGTERM");
  Deno.addSignalListener("SIGINT", stop);
  try {
    return (await child.status).code;
  } finally {
    clearTimeout(late);
    clearTimeout(gone);
    endGroup(child.pid, "SIGKILL"); // what its tests left
    Deno.removeSignalListener("SIGINT", stop);
  }
}
