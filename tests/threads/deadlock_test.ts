import assert from "node:assert/strict";
import { agent, handler } from "./definitions.ts";
import { Harness } from "./harness.ts";

/** A parent that waits for its child, a handler that a person answers. */
const files = (child: string) => ({
  "handlers/it.ts": handler(`
    probe.note(await state.invokeTool("subagent_create", { agent: "kid", message: "do it", attachments: [], name: "k" }));`),
  "handlers/kid.ts": handler(child),
  "agents/it.ts": agent(
    "it",
    `{ handler: "it", subagents: [{ agent: "kid", blocking: true }] }`,
    "{ human: true }",
  ),
  "agents/kid.ts": agent("kid", `{ handler: "kid" }`, "{ human: true }", `exposeAsTool: true,`),
});

const PAGE = { limit: 10, offset: 0, order: "asc" } as const;

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(holds());
}

for (
  const [what, child, says] of [
    [
      "waits for a person",
      `await state.injectMessage({ role: "assistant", content: "which one?" });`,
      /waits for a person/,
    ],
    ["says nothing", "", /has nothing to do/],
  ] as const
) {
  Deno.test(`a turn that waits for a child which ${what} is told of in the log, with the way out`, async () => {
    const ends = `if (message.content === "end") { await state.stopSession({ result: "ended" }); return; }`;
    await using bench = await Harness.open({ files: files(`${ends}\n${child}`) });
    const thread = await bench.create("it");
    await bench.send(thread, "go");
    await until(() => bench.threads.logs(thread, PAGE).length > 0);
    await bench.send(thread, "behind");
    const [log] = bench.threads.logs(thread, PAGE);
    const [kid] = bench.children(thread);
    const data = JSON.parse(log!.data);
    assert.equal(log!.kind, "deadlock");
    assert.equal(data.child, kid!.id);
    assert.match(data.text, says);
    assert.match(data.wayOut, /handler thread stop/);
    await bench.send(kid!.id, "end");
    await until(() => bench.turns(thread)[0]?.state === "done");
    assert.equal((bench.probe.notes[0] as { result: string }).result.includes("ended"), true);
  });
}
