import { agent, handler } from "../definitions.ts";
import type { ModelAgent } from "./machine.ts";

const BODY = `
  probe.note({ kind: "begin", message: message.id, thread: state.threadId, version: VERSION });
  let word;
  try { word = JSON.parse(message.content); } catch { return; } // a runtime's report
  const [own, inbound] = state.execution.currentSide === "a" ? ["assistant", "user"] : ["user", "assistant"];
  for (const deed of word.do) {
    const content = deed.word && JSON.stringify(deed.word);
    switch (deed.op) {
      case "say": await state.injectMessage({ role: own, content }); break;
      case "queue": await state.queueMessage({ role: inbound, content }); break;
      case "down": {
        const child = await state.getChildThread(state.children[deed.child].reference);
        await child.queueMessage({ role: "user", content });
        break;
      }
      case "up": await state.notifyParent(content); break;
      case "later": {
        const id = await state.scheduleEffect("later", { role: inbound, content }, deed.ms);
        probe.note({ kind: "later", n: deed.word.n, effect: id, thread: state.threadId });
        break;
      }
      case "drop": {
        const { messages } = await state.getMessages({ includeSilent: true, limit: 1000 });
        const last = messages.findLast(({ status }) => status === "pending");
        if (last) await state.deleteMessage(last.id);
        break;
      }
      case "pause":
        for (let turn = 0; turn < deed.turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        break;
      case "stop": await state.stopSession({ result: "stopped" }); break;
      case "throw": throw new Error("as the word says");
    }
  }`;

const HANDLER = `{ handler: "obey" }`, HUMAN = "{ human: true }";
const CHILD = `exposeAsTool: true, toolDescription: "obeys"`;
const CHILDREN = `[
    { agent: "child0", immediate: true },
    { agent: "child1", immediate: true, parentCommunication: "explicit" },
  ]`;

/** The cap of those agents that have one. */
const CAP = 2;

/** The definitions that every schedule runs on; `version` is what a reload changes. */
export function project(version: number): Readonly<Record<string, string>> {
  return {
    "handlers/obey.ts": `const VERSION = ${version};\n${handler(BODY)}`,
    "effects/later.ts": `import { z } from "npm:zod@4.6.7";
export default defineEffect("Says a word later", z.object({ role: z.string(), content: z.string() }),
  async (state, args) => { await state.queueMessage(args); });`,
    "agents/desk.ts": agent("desk", HANDLER, HUMAN),
    "agents/pair.ts": agent("pair", HANDLER, HANDLER),
    "agents/desk_capped.ts": agent("desk_capped", HANDLER, HUMAN, `maxSessionTurns: ${CAP}`),
    "agents/pair_capped.ts": agent("pair_capped", HANDLER, HANDLER, `maxSessionTurns: ${CAP}`),
    "agents/top.ts": agent("top", `{ handler: "obey", subagents: ${CHILDREN} }`, HUMAN),
    "agents/child0.ts": agent("child0", HANDLER, HANDLER, CHILD),
    "agents/child1.ts": agent("child1", HANDLER, HANDLER, CHILD),
  };
}

/** An agent as the model has it. */
export function modelAgent(name: string): ModelAgent {
  const b = name.startsWith("desk") || name === "top" ? "human" : "handler";
  return { a: "handler", b, cap: name.endsWith("_capped") ? CAP : undefined };
}
