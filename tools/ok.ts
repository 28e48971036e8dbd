/**
 * The house's checks that need no engine: `deno task ok`. Every check runs, one line each; any failure is the exit code.
 * @module
 */
import { errorText } from "../src/base/mod.ts";
import { ownProgram, run, type RunResult } from "../src/platform/mod.ts";
import { denoEnv, denoOf, PINNED_DENOS } from "./denos.ts";
import { dependencyProblems } from "./deps/check.ts";
import { documentationProblems } from "./ok/documentation.ts";
import { doors, typeCheckRuns } from "./ok/files.ts";
import { repositoryRatios } from "./ratio.ts";
import { ROOT } from "./repository.ts";

/** One thing that must hold; it gives a remark for its line, or throws what is wrong. */
interface Check {
  readonly name: string;
  readonly run: () => Promise<string | void>;
}

const CHECKS: readonly Check[] = [
  { name: "formatting", run: () => deno(["fmt", "--check", "--quiet"]) },
  { name: "lint and house rules", run: () => deno(["lint", "--quiet"]) },
  ...PINNED_DENOS.map((version) => ({ name: `types on Deno ${version}`, run: () => checkTypes(version) })),
  { name: "the page: formatting, lint, types", run: checkPage },
  { name: "documentation of the doors", run: checkDocumentation },
  { name: "floors, rules and lists", run: testTools },
  { name: "dependencies", run: checkDependencies },
  { name: "tests beside the code", run: countTests },
];

async function deno(args: readonly string[], program = ownProgram(), cwd = ROOT): Promise<void> {
  const { code, stdout, stderr } = await runDeno(args, program, cwd);
  if (code !== 0) throw new Error(withoutDots(`${stdout}${stderr}`).trim());
}

/** What failed is of interest, not the row of dots before it. */
function withoutDots(text: string): string {
  return text.replaceAll(/^[.!,\s]*\n/gm, "\n").replaceAll(/\n{3,}/g, "\n\n");
}

function runDeno(args: readonly string[], program: string, cwd: string): Promise<RunResult> {
  return run([program, ...args], { inheritEnv: true, env: denoEnv(), cwd });
}

async function checkDocumentation(): Promise<void> {
  const { code, stdout, stderr } = await runDeno(["doc", "--lint", ...await doors()], ownProgram(), ROOT);
  if (code !== 0 && !/^error\[/m.test(stdout + stderr)) throw new Error(stderr.trim());
  const problems = documentationProblems(stdout + stderr, ROOT);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

function testTools(): Promise<void> {
  return deno(["test", "-A", "--no-check", "--quiet", "--reporter=dot", "tools", "tests/repository"]);
}

async function checkTypes(version: string): Promise<void> {
  const program = await denoOf(version);
  for (const { cwd, args } of await typeCheckRuns()) await deno(["check", "--quiet", ...args], program, cwd);
}

async function checkPage(): Promise<void> {
  const ui = `${ROOT}/ui`;
  for (const args of [["fmt", "--check", "--quiet"], ["lint", "--quiet"], ["task", "--quiet", "check"]]) {
    await deno(args, ownProgram(), ui);
  }
}

async function checkDependencies(): Promise<void> {
  const problems = await dependencyProblems();
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function countTests(): Promise<string> {
  const parts = await repositoryRatios();
  const sum = (count: (part: typeof parts[number]) => number) =>
    parts.reduce((all, part) => all + count(part), 0);
  return `${sum((part) => part.lines)} lines of code, ${sum((part) => part.testLines)} of tests, ` +
    `${sum((part) => part.untested.length)} files without a test beside them`;
}

async function runCheck(check: Check): Promise<boolean> {
  const started = Date.now();
  const line = (word: string, remark: string) =>
    console.log(`${word.padEnd(5)}${check.name}, ${((Date.now() - started) / 1000).toFixed(1)} s${remark}`);
  try {
    const remark = await check.run();
    line("ok", remark ? `: ${remark}` : "");
    return true;
  } catch (error) {
    line("FAIL", "");
    console.log(errorText(error).replace(/^/gm, "     "));
    return false;
  }
}

if (import.meta.main) {
  let failed = 0;
  for (const check of CHECKS) if (!await runCheck(check)) failed++;
  console.log(failed === 0 ? "all checks hold" : `${failed} of ${CHECKS.length} checks failed`);
  Deno.exit(failed === 0 ? 0 : 1);
}
