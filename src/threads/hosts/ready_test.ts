import assert from "node:assert/strict";
import { checkReady } from "./ready.ts";
import type { Ready } from "./link.ts";

const SIDE = { kind: "handler", handler: "h", subagents: [] };
const AGENT = {
  name: "a",
  file: "agents/agents/a.ts",
  sideA: SIDE,
  sideB: { kind: "human", subagents: [] },
  exposeAsTool: false,
  primary: true,
  parentHooks: [],
  hooks: [],
  env: { KEY: "x" },
};
const SET = { agents: [AGENT], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };

function check(definitions: unknown, problems: unknown = []): void {
  checkReady({ t: "ready", definitions, problems } as unknown as Ready);
}

Deno.test("definitions of the right shape pass, with members that nobody knows", () => {
  check(SET);
  check({ ...SET, more: 1 }, [{ file: "f", path: "", message: "m", severity: "warning", line: 3 }]);
});

Deno.test("whatever has another shape is refused by its place", () => {
  const agent = (change: object) => ({ ...SET, agents: [{ ...AGENT, ...change }] });
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /definitions must be an object/],
    [{ ...SET, tools: {} }, /definitions\.tools must be a list/],
    [agent({ name: 1 }), /definitions\.agents\[0\]\.name must be a text/],
    [agent({ sideA: { kind: "ghost" } }), /agents\[0\]\.sideA\.kind must be one of human, handler, prompt/],
    [agent({ sideA: { kind: "toString" } }), /sideA\.kind must be one of/],
    [agent({ sideA: { ...SIDE, subagents: [{}] } }), /sideA\.subagents\[0\]\.agent must be a text/],
    [agent({ env: { KEY: 1 } }), /agents\[0\]\.env\.KEY must be a text/],
    [
      { ...SET, tools: [{ name: "t", file: "f", description: "d", args: [] }] },
      /tools\[0\]\.args must be an object/,
    ],
  ];
  for (const [definitions, words] of refused) assert.throws(() => check(definitions), words);
  assert.throws(() => check(SET, [{ file: "f" }]), /problems\[0\]\.path must be a text/);
});
