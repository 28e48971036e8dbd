import type { Json } from "../../base/mod.ts";
import type { ThreadSnapshot } from "../../wire/mod.ts";
import { appendLog } from "../engine/append.ts";
import { runFunction } from "../engine/functions.ts";
import type { RunContext } from "../state/context.ts";
import { HookChain, type HookRunner } from "./hook_chain.ts";

/** The hooks of a context's thread and prompt, run in its project's host; failures stand in the thread's log. */
export function contextHooks(context: RunContext, child?: ThreadSnapshot): HookChain {
  const { definitions, agent, prompt } = context;
  return new HookChain({ place: { definitions, agent, prompt }, runner: hookRunner(context, child) });
}

function hookRunner(context: RunContext, child: ThreadSnapshot | undefined): HookRunner {
  const { engine, thread, turn } = context;
  return {
    run: (hook, args) =>
      runFunction({ ...context, uses: undefined, queued: [], queueForLoop: false }, {
        kind: "hook",
        id: hook.id,
        args: args as Json[],
        ...child === undefined ? {} : { child },
        source: hook.source,
      }),
    async failed(hook, message) {
      const error = { message, type: "hook_error", origin: `hook:${hook.id}` };
      await engine.write("process", (tx, acts) => {
        appendLog(tx, acts, acts.thread(tx, thread), {
          turn: turn?.turn.id ?? null,
          kind: "hook_failure",
          name: hook.id,
          error,
        }, engine.now());
      });
    },
  };
}
