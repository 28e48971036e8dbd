/**
 * All tests: `deno task test [--only <area>]… [--filter <text>]`. Prepares what they need, runs the tests beside the code,
 * then each area of `tests/`, and ends with one line: `N passed, N failed, N skipped`.
 * @module
 */
import { parseArgs } from "node:util";
import { env, ownProgram, run, statIfThere } from "../src/platform/mod.ts";
import { MODEL_FILES, modelFolder } from "../demo/model.ts";
import { fetchModel } from "./model.ts";
import { provideEngines } from "./test/engines.ts";
import { NOTHING, type Outcome, summary, together } from "./test/junit.ts";
import { planRuns } from "./test/plan.ts";
import { preparePodman } from "./test/podman.ts";
import { runTests } from "./test/run.ts";
import { ROOT } from "./repository.ts";

/** Installs the connectors' packages and bundles the guest programs. */
async function prepare(): Promise<void> {
  if (!await statIfThere(`${ROOT}/tools/prepare.ts`)) return;
  const argv = [ownProgram(), "run", "-A", "tools/prepare.ts"];
  const { code, stdout, stderr } = await run(argv, { inheritEnv: true, cwd: ROOT });
  if (code !== 0) throw new Error(`deno task prepare ended with ${code}\n${stdout}${stderr}`);
}

/** Where the small model has been fetched, its server is the checkout's own. */
async function prepareModel(): Promise<void> {
  if (await statIfThere(`${modelFolder()}/${MODEL_FILES.model}`)) await fetchModel(undefined, console.log);
}

/** What the tests' environment must name; what is missing is said. */
async function prepareEngines(): Promise<Readonly<Record<string, string>>> {
  await prepareModel();
  for (const line of await provideEngines(console.log)) console.log(line);
  const podman = await preparePodman();
  if (podman.works) return podman.env;
  console.log(`podman does not work here: ${podman.why}`);
  return {};
}

async function runAll(only: readonly string[], filter: string | undefined): Promise<Outcome> {
  const plan = (await planRuns()).filter(({ area }) => only.length === 0 || only.includes(area));
  if (plan.length === 0) throw new Error(`no tests in ${only.join(", ")}`);
  await prepare();
  const variables = plan.some(({ area }) => area !== "unit") ? await prepareEngines() : {};
  let all = NOTHING;
  for (const test of plan) {
    const started = Date.now();
    const outcome = await runTests(test, { filter, env: variables });
    console.log(`${test.area}: ${summary(outcome)}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
    all = together(all, outcome);
  }
  return all;
}

/** On a build machine a skipped test hides a missing engine, so it counts as failed there. */
function judge(outcome: Outcome): boolean {
  for (const name of outcome.failed) console.log(`failed   ${name}`);
  for (const name of outcome.skipped) console.log(`skipped  ${name}`);
  console.log(summary(outcome));
  return outcome.failed.length === 0 && (outcome.skipped.length === 0 || env("CI") !== "true");
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: { only: { type: "string", multiple: true }, filter: { type: "string" } },
  });
  Deno.exit(judge(await runAll(values.only ?? [], values.filter)) ? 0 : 1);
}
