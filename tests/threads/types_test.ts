import assert from "node:assert/strict";
import {
  ASSISTANT,
  checkProject,
  type Files,
  RELAY,
  specText,
  withProject,
  writeTypes,
} from "./project_support.ts";

const ALL: Files = { ...RELAY, ...ASSISTANT };

function wrongName(files: Files): Files {
  const text = files["agents/agents/relay_agent.ts"]?.replace("'relay_pipe'", "'nope'") ?? "";
  return { ...files, "agents/agents/relay_agent.ts": text };
}

Deno.test("C-48 the right handler name passes a plain deno check, the chapter's files as printed", () =>
  withProject(ALL, async (folder) => {
    await writeTypes(folder);
    assert.deepEqual(await checkProject(folder), []);
  }));

Deno.test("C-48 a wrong handler name does not", () =>
  withProject(wrongName(ALL), async (folder) => {
    await writeTypes(folder);
    const lines = await checkProject(folder);
    assert.match(lines[0] ?? "", /Type '"nope"' is not assignable to type '"answer" \| "relay_pipe"/);
  }));

Deno.test("C-48 any handler name passes while the registry is empty", () =>
  withProject(wrongName(ALL), async (folder) => {
    await writeTypes(folder, true);
    assert.deepEqual(await checkProject(folder), []);
  }));

const ILLEGAL = [
  "maxSteps: 3",
  "stopOnResponse: true",
  "stopTool: 'x'",
  "stopToolResponseProperty: 'x'",
  "sessionStop: { name: 'x' }",
  "sessionFail: { name: 'x' }",
  "sessionStatus: { name: 'x' }",
  "manualStopCondition: true",
];

function illegalAgents(): string {
  const sides = ILLEGAL.flatMap((field) => [
    `defineAgent({
  name: 'x',
  // @ts-expect-error: ${field}
  sideA: { handler: 'y', ${field} },
  sideB: { human: true },
});`,
    `defineAgent({
  name: 'x',
  sideA: { human: true },
  // @ts-expect-error: ${field}
  sideB: { handler: 'y', ${field} },
});`,
  ]);
  return `import { defineAgent } from '@standardagents/spec';\n${sides.join("\n")}\n`;
}

Deno.test("C-10 what a handler side cannot have does not compile", () =>
  withProject({ "agents/illegal.ts": illegalAgents() }, async (folder) => {
    await writeTypes(folder, true);
    assert.deepEqual(await checkProject(folder), []);
  }));

const REFUSED =
  `import { defineAgent, defineEffect, defineHandler, defineHook, definePrompt, defineTool } from '@standardagents/spec';
import { z } from 'zod';

const handler = defineHandler({ execute: async () => {} });

// @ts-expect-error: a handler has to do something
defineHandler({ description: 'x' });
// @ts-expect-error: both
defineAgent({ name: 'x', sideA: { handler: 'y', prompt: 'z' }, sideB: { human: true } });
// @ts-expect-error: nobody
defineAgent({ name: 'x', sideA: { label: 'y' }, sideB: { human: true } });
// @ts-expect-error: no second side
defineAgent({ name: 'x', sideA: { handler: 'y' } });
// @ts-expect-error: agents have no type
defineAgent({ name: 'x', type: 'ai_human', sideA: { handler: 'y' }, sideB: { human: true } });
// @ts-expect-error: a session tool alone
defineAgent({ name: 'x', sideA: { prompt: 'y', sessionStop: 'z' }, sideB: { human: true } });
// @ts-expect-error: gone
defineAgent({ name: 'x', sideA: { prompt: 'y', subagents: [{ agent: 'z', resumable: true }] }, sideB: { human: true } });
// @ts-expect-error: a handler is no tool
definePrompt({ name: 'x', toolDescription: 'x', prompt: 'x', model: 'm', tools: [handler] });
// @ts-expect-error: a relationship is no tool
definePrompt({ name: 'x', toolDescription: 'x', prompt: 'x', model: 'm', tools: [{ name: 'y', blocking: true }] });
// @ts-expect-error: a handler is no hook
definePrompt({ name: 'x', toolDescription: 'x', prompt: 'x', model: 'm', hooks: [handler] });
// @ts-expect-error: no such service
definePrompt({ name: 'x', toolDescription: 'x', prompt: 'x', model: 'm', services: ['ocr'] });
// @ts-expect-error: not an object
defineTool({ description: 'x', args: z.string(), execute: async () => ({ status: 'success' }) });
// @ts-expect-error: no such hook
defineHook({ hook: 'before_lunch', id: 'x', execute: async () => {} });
// @ts-expect-error: a handler is no effect
defineEffect('x', handler);
`;

Deno.test("what cannot be does not compile", () =>
  withProject({ "agents/refused.ts": REFUSED }, async (folder) => {
    await writeTypes(folder, true);
    assert.deepEqual(await checkProject(folder), []);
  }));

const INFERRED =
  `import { defineEffect, defineHook, definePrompt, defineTool, isHandler, validateAgentDefinition } from '@standardagents/spec';
import { z } from 'zod';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export default defineTool({
  description: 'x',
  args: z.object({ city: z.string(), days: z.number().default(3), note: z.string().optional() }),
  execute: async (state, args) => {
    same<typeof args, { city: string; days: number; note?: string | undefined }>(true);
    await state.setValue('city', args.city);
    const known = await state.getValue<string>('city');
    same<typeof known, string | null>(true);
    const { result } = await state.invokeTool('other', { a: 1 });
    return { status: 'success', ...(result && { result }) };
  },
});
defineTool({ description: 'x', execute: async () => ({ status: 'error', error: 'x' }) });
defineEffect('x', z.object({ n: z.number() }), async (_state, args) => same<typeof args, { n: number }>(true));
defineEffect('x', async (state) => {
  same<typeof state.threadId, string>(true);
});
defineHook({
  hook: 'filter_messages',
  id: 'recent',
  execute: async (_state, messages, context) => {
    same<typeof context.source.kind, 'prompt' | 'agent' | 'child'>(true);
    return messages.slice(-10);
  },
});
definePrompt({
  name: 'x',
  toolDescription: 'x',
  prompt: [{ type: 'text', content: 'x' }, { type: 'include', prompt: 'y' }, { type: 'env', property: 'Z' }],
  model: 'm',
  requiredSchema: z.object({ question: z.string() }),
  tools: ['a', { name: 'b', includeErrors: false }, { name: 'c', options: { deep: [1] } }],
  services: ['ocr/v1'],
});
const issues = validateAgentDefinition({});
same<(typeof issues)[number]['severity'], 'error' | 'warning'>(true);
same<ReturnType<typeof isHandler>, boolean>(true);
`;

Deno.test("arguments have the type of their schema", () =>
  withProject({ "agents/inferred.ts": INFERRED }, async (folder) => {
    await writeTypes(folder, true);
    assert.deepEqual(await checkProject(folder), []);
  }));

Deno.test("the one file of the module is sound by itself", async () => {
  await withProject({ "agents/spec.ts": await specText(), "deno.json": "{}" }, async (folder) => {
    assert.deepEqual(await checkProject(folder), []);
  });
});
