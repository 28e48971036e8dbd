import { formatStep, type Script, type Step } from "./script.ts";
import { type Home, makeHome } from "./home.ts";
import { linesOf, matchLines, updatedLines } from "./match.ts";

/** How a script went: what differed, and its steps as an update would write them. */
export interface Played {
  readonly differences: readonly string[];
  readonly steps: readonly Step[];
}

/** Plays a script in a fresh home, to its end. */
export async function play(script: Script): Promise<Played> {
  await using home = await makeHome(script.files);
  const differences: string[] = [];
  const steps: Step[] = [];
  for (const step of script.steps) {
    const actual = await playStep(home, step);
    steps.push({
      ...step,
      stdout: updatedLines(step.stdout, actual.stdout),
      stderr: updatedLines(step.stderr, actual.stderr),
      exit: actual.exit,
    });
    if (!matches(step, actual)) differences.push(describe(step, actual));
  }
  return { differences, steps };
}

async function playStep(home: Home, step: Step): Promise<Step> {
  if (step.kind === "daemon") {
    await tellDaemon(home, step.command);
    return { ...step, stdout: [], stderr: [], exit: 0 };
  }
  const { code, stdout, stderr } = await home.shell(step.command);
  const lines = (text: string) => linesOf(text.replaceAll(home.path, "$ROOT"));
  return { ...step, stdout: lines(stdout), stderr: lines(stderr), exit: code };
}

async function tellDaemon(home: Home, word: string): Promise<void> {
  switch (word) {
    case "start":
      return await home.startDaemon();
    case "stop":
      return await home.stopDaemon("SIGTERM");
    case "kill":
      return await home.stopDaemon("SIGKILL");
    default:
      throw new Error(`"@ ${word}" is none of: @ start, @ stop, @ kill`);
  }
}

function matches(expected: Step, actual: Step): boolean {
  return expected.exit === actual.exit && matchLines(expected.stdout, actual.stdout) &&
    matchLines(expected.stderr, actual.stderr);
}

function describe(expected: Step, actual: Step): string {
  const block = (step: Step) => formatStep(step).slice(1).map((line) => `    ${line}`).join("\n");
  return `line ${expected.line}: ${expected.command}\n  expected\n${block(expected)}\n  found\n${
    block(actual)
  }`;
}
