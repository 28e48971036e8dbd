import assert from "node:assert/strict";
import { agent, handled, handler, prompt } from "./definitions.ts";
import { Harness, PROJECT } from "./harness.ts";

type Files = Readonly<Record<string, string>>;

const RELAY: Files = { "handlers/relay_pipe.ts": handler("") };
const HUMAN = "{ human: true }";

/** A project's errors, each as `file: path: message`, after a try to make a thread in it. */
async function errorsOf(files: Files, name = "it"): Promise<readonly string[]> {
  await using bench = await Harness.open({ files });
  const { problems } = await bench.threads.check(PROJECT);
  const errors = problems.filter(({ severity }) => severity === "error");
  const made = await bench.create(name).then(() => true, () => false);
  assert.equal(made, errors.length === 0, "threads are made exactly where nothing is wrong");
  assert.equal(bench.store.threads({ limit: 10, offset: 0 }).length, made ? 1 : 0);
  assert.equal(bench.model.requests.length, 0);
  return errors.map(({ file, path, message }) => `${file}: ${path}: ${message}`);
}

/** A project with one agent whose sides are these. */
const sides = (a: string, b: string, more = ""): Files => ({ "agents/it.ts": agent("it", a, b, more) });

Deno.test("C-01 handlers come from their own directory and are made by defineHandler", async () => {
  await using bench = await Harness.open({
    files: {
      "handlers/relay_pipe.ts":
        `export default defineHandler({ description: "Pipes", execute: async () => {} });`,
      "handlers/plain.ts": handler(""),
      "tools/astray.ts": handler(""),
      "handlers/empty.ts": `export default defineHandler({});`,
      "handlers/deep/hidden.ts": handler(""),
      ...sides(`{ handler: "relay_pipe" }`, HUMAN),
    },
  });
  const { definitions, problems } = await bench.threads.check(PROJECT);
  assert.deepEqual(definitions.handlers.map(({ name, description }) => [name, description]), [
    ["plain", undefined],
    ["relay_pipe", "Pipes"],
  ]);
  const errors = problems.filter(({ severity }) => severity === "error").map(({ file }) => file);
  assert.deepEqual(errors, ["agents/handlers/empty.ts", "agents/tools/astray.ts"]);
  assert.match(problems.find(({ file }) => file.endsWith("empty.ts"))?.path ?? "", /execute/);
});

const TOOLS: readonly (readonly [string, string])[] = [
  ["its name", `tools: ["relay_pipe"]`],
  ["an object with its name", `tools: [{ name: "relay_pipe" }]`],
  ["the definition itself", `tools: [pipe]`],
];
for (const [what, tools] of TOOLS) {
  Deno.test(`C-03 not in a prompt's tools: ${what}`, async () => {
    const [error, ...more] = await errorsOf({
      ...RELAY,
      "prompts/p.ts": `import pipe from "../handlers/relay_pipe.ts";\n${prompt("p", tools)}\nvoid pipe;`,
      ...sides(`{ prompt: "p" }`, HUMAN),
    });
    assert.match(error ?? "", /^agents\/prompts\/p\.ts: tools\[?\.?0.*handler/);
    assert.deepEqual(more, []);
  });
}

const HOOKS: readonly (readonly [string, Files, RegExp])[] = [
  [
    "a prompt's",
    { "prompts/p.ts": prompt("p", `hooks: ["relay_pipe"]`), ...sides(`{ prompt: "p" }`, HUMAN) },
    /^agents\/prompts\/p\.ts: hooks.*handler/,
  ],
  [
    "an agent's",
    sides(`{ handler: "relay_pipe" }`, HUMAN, `hooks: ["relay_pipe"]`),
    /^agents\/agents\/it\.ts: hooks.*handler/,
  ],
  [
    "an agent's for its parent",
    sides(
      `{ handler: "relay_pipe" }`,
      HUMAN,
      `exposeAsTool: true, toolDescription: "x", parentHooks: [{ hook: "relay_pipe", reason: "x" }]`,
    ),
    /^agents\/agents\/it\.ts: parentHooks.*handler/,
  ],
];
for (const [whose, files, expected] of HOOKS) {
  Deno.test(`C-04 not in hook lists: ${whose}`, async () => {
    const errors = await errorsOf({ ...RELAY, ...files });
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0] ?? "", expected);
  });
}

Deno.test("C-05 not in effect schedules", async () => {
  const declared = await errorsOf({
    ...RELAY,
    "effects/later.ts":
      `import pipe from "../handlers/relay_pipe.ts";\nexport default defineEffect("x", pipe);`,
    ...sides(`{ handler: "relay_pipe" }`, HUMAN),
  });
  assert.match(declared.join("\n"), /^agents\/effects\/later\.ts: .*handler/);
  await using bench = await Harness.open({
    files: handled(
      `await state.scheduleEffect("it", {}).catch((error) => probe.note(error.message));
       probe.note((await state.getScheduledEffects()).length);`,
    ),
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  await bench.idle();
  assert.match(String(bench.probe.notes[0]), /"it".*handler/);
  assert.equal(bench.probe.notes[1], 0);
});

Deno.test("C-06 refused when the definitions are loaded, all at once, before there is a thread", async () => {
  const errors = await errorsOf({
    ...RELAY,
    "prompts/p.ts": prompt("p", `tools: ["relay_pipe"], hooks: ["relay_pipe"]`),
    ...sides(`{ handler: "relay_pipe", maxSteps: 3 }`, `{ prompt: "p", stopTool: "relay_pipe" }`),
  });
  const places = errors.map((error) => error.split(": ").slice(0, 2).join(" "));
  assert.ok(places.some((place) => place.startsWith("agents/prompts/p.ts tools")), errors.join("\n"));
  assert.ok(places.some((place) => place.startsWith("agents/prompts/p.ts hooks")), errors.join("\n"));
  assert.ok(places.includes("agents/agents/it.ts sideA.maxSteps"), errors.join("\n"));
  assert.ok(places.includes("agents/agents/it.ts sideB.stopTool"), errors.join("\n"));
});

Deno.test("C-07 a side's handler is the one place, and has to be defined", async () => {
  assert.deepEqual(await errorsOf({ ...RELAY, ...sides(`{ handler: "relay_pipe" }`, HUMAN) }), []);
  const [unknown] = await errorsOf({ ...RELAY, ...sides(`{ handler: "relay_pip" }`, HUMAN) });
  assert.match(unknown ?? "", /^agents\/agents\/it\.ts: sideA\.handler: .*"relay_pip".*relay_pipe/);
  for (
    const binding of [
      `stopTool: "relay_pipe", stopToolResponseProperty: "x"`,
      `sessionStop: { name: "relay_pipe" }`,
      `sessionFail: { name: "relay_pipe" }`,
      `sessionStatus: { name: "relay_pipe" }`,
    ]
  ) {
    const errors = await errorsOf({
      ...RELAY,
      "prompts/p.ts": prompt("p"),
      ...sides(`{ prompt: "p", ${binding} }`, HUMAN),
    });
    assert.equal(errors.length, 1, `${binding}: ${errors.join("\n")}`);
    assert.match(errors[0] ?? "", /^agents\/agents\/it\.ts: sideA\.s.*handler/);
  }
});

const ILLEGAL: readonly (readonly [string, string])[] = [
  ["maxSteps", "3"],
  ["stopOnResponse", "true"],
  ["stopTool", `"x"`],
  ["stopToolResponseProperty", `"x"`],
  ["sessionStop", `{ name: "x" }`],
  ["sessionFail", `{ name: "x" }`],
  ["sessionStatus", `{ name: "x" }`],
];
Deno.test("C-10 steps, stops and session bindings are illegal on handler sides", async () => {
  for (const [field, value] of ILLEGAL) {
    for (const side of ["sideA", "sideB"] as const) {
      const wrong = `{ handler: "relay_pipe", ${field}: ${value} }`;
      const errors = await errorsOf({
        ...RELAY,
        ...(side === "sideA" ? sides(wrong, HUMAN) : sides(HUMAN, wrong)),
      });
      const place = `agents/agents/it.ts: ${side}.${field}: `;
      assert.ok(errors.some((error) => error.startsWith(place)), `${place}: ${errors.join("\n")}`);
    }
  }
});
