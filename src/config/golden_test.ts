import assert from "node:assert/strict";
import { type HandlerError, ProblemList } from "../base/mod.ts";
import { decodeToml, type Kind } from "../schema/mod.ts";
import { loadConfiguration } from "./load.ts";
import { agentShape, bindingShape, mainShape, personShape, projectShape } from "./shapes.ts";

// Each `<kind>-<what>.toml` has its record or its problems beside it in a `.txt`, each folder of `sets/` its own too.
// After a change that is meant: UPDATE_GOLDEN=1 deno test -A src/config/golden_test.ts, then read the difference.

const GOLDEN = new URL("../../tests/golden/config/", import.meta.url).pathname;
const UPDATE = Boolean(Deno.env.get("UPDATE_GOLDEN"));
const home = () => "/home/ann";
const SHAPES: Readonly<Record<string, Kind<unknown>>> = {
  agent: agentShape(),
  project: projectShape(home),
  binding: bindingShape(home),
  config: mainShape(home),
  person: personShape(),
};

function decoded(file: string): string {
  const kind = file.split("-")[0] as string;
  const shape = SHAPES[kind] as Kind<unknown>;
  return shown(() => decodeToml(Deno.readFileSync(GOLDEN + file), { file, kind, shape }));
}

function shown(make: () => unknown): string {
  try {
    return JSON.stringify(make(), null, 2) + "\n";
  } catch (error) {
    return problemText(error);
  }
}

function problemText(error: unknown): string {
  if (!(error instanceof ProblemList)) throw error;
  return error.problems.map(line).join("").replaceAll(GOLDEN, "");
}

function line({ where, message, hint }: HandlerError): string {
  const place = [where?.file, where?.line, where?.column, where?.key].filter((part) => part !== undefined);
  return `${place.join(":")}: ${message}\n${hint ? `  hint: ${hint}\n` : ""}`;
}

async function loaded(folder: string): Promise<string> {
  try {
    const { main, agents, projects, bindings, persons } = await loadConfiguration(folder, { home });
    const maps = [agents, projects, bindings, persons].map((map) => Object.fromEntries(map));
    return (JSON.stringify([main, ...maps], null, 2) + "\n").replaceAll(GOLDEN, "");
  } catch (error) {
    return problemText(error);
  }
}

function compare(file: string, actual: string): void {
  if (UPDATE) Deno.writeTextFileSync(GOLDEN + file, actual);
  assert.equal(actual, Deno.readTextFileSync(GOLDEN + file));
  assert.doesNotMatch(actual, /sk-/, "a secret is shown");
}

for (const { name } of [...Deno.readDirSync(GOLDEN)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  if (name.endsWith(".toml")) {
    Deno.test(`golden ${name}`, () => compare(name.replace(/toml$/, "txt"), decoded(name)));
  }
}

for (const { name, isDirectory } of Deno.readDirSync(`${GOLDEN}sets`)) {
  if (isDirectory) {
    Deno.test(`golden set ${name}`, async () =>
      compare(`sets/${name}.txt`, await loaded(`${GOLDEN}sets/${name}`)));
  }
}
