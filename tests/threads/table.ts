/**
 * Which requirements of the chapter hold: runs the tests that are named by their ids and prints a table.
 *
 *     deno run -A tests/threads/table.ts
 * @module
 */

const LAST = 48;
const FOLDER = new URL(".", import.meta.url).pathname;

/** One requirement: the names of its tests, and those that failed. */
interface Requirement {
  readonly tests: string[];
  readonly failed: string[];
}

async function run(): Promise<ReadonlyMap<string, Requirement>> {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .filter((name) => /^conformance_.*_test\.ts$|^types_test\.ts$/.test(name)).sort();
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--reporter=tap", ...files.map((name) => FOLDER + name)],
    env: { NO_COLOR: "1" },
    stderr: "inherit",
  }).output();
  const found = new Map<string, Requirement>();
  for (
    const [, not, name = ""] of new TextDecoder().decode(stdout).matchAll(/^(not )?ok \d+ - (C-\d\d .*)$/gm)
  ) {
    const id = name.slice(0, 4);
    const one = found.get(id) ?? { tests: [], failed: [] };
    one.tests.push(name.slice(5));
    if (not) one.failed.push(name);
    found.set(id, one);
  }
  return found;
}

if (import.meta.main) {
  const found = await run();
  let holding = 0;
  for (let number = 1; number <= LAST; number++) {
    const id = `C-${String(number).padStart(2, "0")}`;
    const one = found.get(id);
    const state = !one ? "no test" : one.failed.length > 0 ? "FAILS" : "holds";
    if (state === "holds") holding++;
    console.log(`${id}  ${state.padEnd(7)}  ${one?.failed[0] ?? one?.tests[0] ?? ""}`);
  }
  console.log(`${holding} of ${LAST} hold`);
  Deno.exit(holding === LAST ? 0 : 1);
}
