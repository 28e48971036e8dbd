import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { z } from "zod";
import {
  defineAgent,
  defineEffect,
  defineHandler,
  defineHook,
  defineModel,
  definePrompt,
  defineTool,
} from "../../spec/mod.ts";
import { loadDefinitions } from "./load.ts";

/** Loads what files are said to export, without reading them. */
async function load(modules: Readonly<Record<string, unknown>>) {
  const folder = await Deno.makeTempDir({ prefix: "definitions-" });
  try {
    for (const path of Object.keys(modules)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), "");
    }
    const importModule = (path: string) =>
      Promise.resolve({ default: modules[path.slice(folder.length + 1)] });
    return await loadDefinitions({ folder, importModule });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const relay = defineHandler({ execute: async () => {} });
const human = { human: true } as const;

Deno.test("C-01 a handler is named after its file and needs no description", async () => {
  const { set, problems, functions } = await load({ "agents/handlers/relay_pipe.ts": relay });
  assert.deepEqual(problems, []);
  assert.deepEqual(set.handlers, [{ name: "relay_pipe", file: "agents/handlers/relay_pipe.ts" }]);
  assert.equal(functions.handlers.get("relay_pipe"), relay.execute);
});

Deno.test("what an agent and a prompt do not say has its default", async () => {
  const { set, problems } = await load({
    "agents/agents/desk.ts": defineAgent({
      name: "desk",
      exposeAsTool: true,
      toolDescription: "A desk",
      sideA: { prompt: "ask", subagents: [{ agent: "desk" }] },
      sideB: { handler: "relay_pipe" },
    }),
    "agents/prompts/ask.ts": definePrompt({
      name: "ask",
      toolDescription: "Asks",
      prompt: "You ask",
      model: "m",
      tools: ["find", { name: "find_more", options: { deep: true } }],
    }),
    "agents/tools/find.ts": defineTool({ description: "F", execute: () => Promise.reject() }),
    "agents/tools/find_more.ts": defineTool({ description: "F", execute: () => Promise.reject() }),
    "agents/handlers/relay_pipe.ts": relay,
  });
  assert.deepEqual(problems, []);
  const [desk] = set.agents;
  assert.deepEqual(desk?.sideB, { kind: "handler", handler: "relay_pipe", subagents: [] });
  assert.deepEqual(desk?.sideA, {
    kind: "prompt",
    prompt: "ask",
    stopOnResponse: true,
    manualStopCondition: false,
    subagents: [{
      agent: "desk",
      as: "desk",
      immediate: false,
      blocking: false,
      parentCommunication: "implicit",
      scopedEnv: [],
      hidden: false,
    }],
  });
  const defaults = { includeTextResponse: true, includeToolCalls: true, includeErrors: true };
  assert.deepEqual(set.prompts[0]?.tools, [
    { name: "find", ...defaults },
    { name: "find_more", ...defaults, options: { deep: true } },
  ]);
  assert.deepEqual(set.prompts[0]?.prompt, [{ type: "text", content: "You ask" }]);
  assert.deepEqual(
    [set.prompts[0]?.toolChoice, set.prompts[0]?.recentImageThreshold, desk?.primary],
    ["auto", 10, true],
  );
});

Deno.test("functions come with the schemas that their arguments are read with", async () => {
  const schema = z.object({ n: z.number().default(2) });
  const { set, functions, problems } = await load({
    "agents/tools/count.ts": defineTool({
      description: "Counts",
      args: schema,
      execute: (_state, { n }) => Promise.resolve({ status: "success", result: String(n) }),
    }),
    "agents/tools/stop.ts": defineTool({
      description: "Stops",
      args: null,
      execute: () => Promise.resolve({ status: "success" }),
    }),
    "agents/effects/remind.ts": defineEffect("Reminds", schema, async () => {}),
    "agents/hooks/any_file.ts": defineHook({
      hook: "filter_messages",
      id: "trim",
      execute: (_state, messages) => Promise.resolve(messages),
    }),
    "agents/models/small.ts": defineModel({ name: "small", model: "s-1", provider: "house", inputPrice: 1 }),
  });
  assert.deepEqual(problems, []);
  const args = { type: "object", properties: { n: { type: "number", default: 2 } } };
  assert.deepEqual(set.tools.map((tool) => [tool.name, tool.args]), [["count", args], ["stop", undefined]]);
  assert.deepEqual(set.effects[0], {
    name: "remind",
    file: "agents/effects/remind.ts",
    description: "Reminds",
    args,
  });
  const count = functions.tools.get("count");
  const read = await count?.schema?.safeParseAsync({});
  assert.ok(read?.success);
  assert.deepEqual(await count?.execute({}, read.data), { status: "success", result: "2" });
  assert.equal(functions.tools.get("stop")?.schema, undefined);
  assert.equal(functions.hooks.get("trim")?.hook, "filter_messages");
  assert.deepEqual(set.models, [
    { name: "small", file: "agents/models/small.ts", model: "s-1", provider: "house", inputPrice: 1 },
  ]);
});

Deno.test("a project without agents/ is told so, an empty one is fine", async () => {
  assert.deepEqual((await load({})).problems.map(({ file, severity }) => [file, severity]), [[
    "agents",
    "error",
  ]]);
  assert.deepEqual((await load({ "agents/notes.md": "" })).problems, []);
});

Deno.test("what is wrong is not among what is loaded, and names of it are still known", async () => {
  const { set, problems, functions } = await load({
    "agents/agents/desk.ts": defineAgent({ name: "desk", sideA: { handler: "empty" }, sideB: human }),
    "agents/handlers/empty.ts": defineHandler({} as Parameters<typeof defineHandler>[0]),
  });
  assert.deepEqual(problems.map(({ file, path }) => [file, path]), [["agents/handlers/empty.ts", "execute"]]);
  assert.equal(set.agents.length, 1);
  assert.deepEqual([set.handlers.length, functions.handlers.size], [0, 0]);
});

Deno.test("a link that leads nowhere is told, one to a folder of definitions is followed", async () => {
  const folder = await Deno.makeTempDir({ prefix: "definitions-" });
  try {
    await Deno.mkdir(`${folder}/agents/agents`, { recursive: true });
    await Deno.mkdir(`${folder}/shared`);
    await Deno.writeTextFile(`${folder}/shared/relay.ts`, "");
    await Deno.symlink(`${folder}/shared`, `${folder}/agents/handlers`);
    await Deno.symlink(`${folder}/nowhere.ts`, `${folder}/agents/agents/desk.ts`);
    const importModule = (path: string) =>
      path.endsWith("relay.ts") ? Promise.resolve({ default: relay }) : import(`file://${path}`);
    const { set, problems } = await loadDefinitions({ folder, importModule });
    assert.deepEqual(set.handlers.map(({ name }) => name), ["relay"]);
    assert.deepEqual(problems.map(({ message }) => message), [
      "it imports agents/agents/desk.ts, which is not there",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
