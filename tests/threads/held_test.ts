import assert from "node:assert/strict";
import { HandlerError } from "../../src/base/mod.ts";
import { agent, handled, handler } from "./definitions.ts";
import { Harness } from "./harness.ts";

const ECHO = `await state.injectMessage({ role: "assistant", content: message.content + "!" });`;

const contents = (bench: Harness, thread: string) => bench.messages(thread).map(({ content }) => content);

Deno.test("what waits for definitions that cannot be loaded goes on by itself once they are right", async () => {
  await using bench = await Harness.open({ files: handled(ECHO) });
  const thread = await bench.create("it");
  await bench.write({ "agents/it.ts": agent("it", `{ handler: "nobody" }`, "{ human: true }") });
  bench.hosts.kill("desk");
  await bench.send(thread, "one");
  await bench.send(thread, "two");
  await bench.idle();
  assert.equal(bench.thread(thread).status, "failed");
  await bench.write(handled(ECHO));
  await answered(bench, thread, 4);
  assert.deepEqual(contents(bench, thread), ["one", "two", "one!", "two!"]);
  assert.equal(bench.thread(thread).status, "awaiting_human");
});

Deno.test("what waits for an agent that is not defined goes on with the definitions that have it again", async () => {
  await using bench = await Harness.open({ files: handled(ECHO) });
  const thread = await bench.create("it");
  await bench.write({ "agents/it.ts": agent("other", `{ handler: "it" }`, "{ human: true }") });
  await bench.hosts.reload("desk");
  await bench.send(thread, "one");
  await bench.idle();
  assert.equal(bench.thread(thread).status, "failed");
  await bench.write({ ...handled(ECHO), "handlers/more.ts": handler("") });
  await bench.hosts.reload("desk");
  await answered(bench, thread, 2);
  assert.deepEqual(contents(bench, thread), ["one", "one!"]);
});

Deno.test("a person of side A speaks for side A while the definitions are wrong too", async () => {
  const files = {
    "handlers/it.ts": handler(`await state.injectMessage({ role: "user", content: message.content + "!" });`),
    "agents/it.ts": agent("it", "{ human: true }", `{ handler: "it" }`),
  };
  await using bench = await Harness.open({ files });
  const thread = await bench.create("it");
  await bench.send(thread, "one");
  await bench.idle();
  await bench.write({ "agents/it.ts": agent("it", "{ human: true }", `{ handler: "nobody" }`) });
  bench.hosts.kill("desk");
  await bench.send(thread, "two");
  await bench.idle();
  await bench.write(files);
  await answered(bench, thread, 4);
  assert.deepEqual(contents(bench, thread), ["one", "one!", "two", "two!"]);
});

async function answered(bench: Harness, thread: string, messages: number): Promise<void> {
  const end = performance.now() + 10_000;
  while (bench.messages(thread).length < messages && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await bench.idle();
}

Deno.test("a terminated thread is neither stopped nor continued", async () => {
  await using bench = await Harness.open({ files: handled(ECHO) });
  const thread = await bench.create("it");
  await bench.threads.terminate(thread);
  await assert.rejects(bench.threads.stop(thread), /is terminated/);
  await assert.rejects(bench.threads.resume(thread), /is terminated/);
  assert.equal(bench.thread(thread).stopped, false);
});

Deno.test("nothing waits in a terminated thread", async () => {
  await using bench = await Harness.open({ files: handled(`await probe.gate("hold");`) });
  const thread = await bench.create("it");
  await bench.send(thread, "one");
  await bench.send(thread, "two");
  await bench.probe.at("hold");
  assert.equal(bench.threads.show(thread).waiting, 1);
  await bench.threads.terminate(thread);
  assert.equal(bench.threads.show(thread).waiting, 0);
  bench.probe.open("hold");
  await bench.idle();
});

Deno.test("why nothing goes on is told with what may help", async () => {
  await using bench = await Harness.open({
    files: handled(ECHO),
    start: () =>
      Promise.reject(new HandlerError("denied", "it was not started", { hint: "install something" })),
  });
  const thread = await importedThread(bench);
  await bench.send(thread, "one");
  await bench.idle();
  const [log] = bench.threads.logs(thread, { limit: 1, offset: 0, order: "desc" });
  assert.match(log!.error!.message, /it was not started \(install something\)/);
});

/** A thread that is there although no host of its project comes up. */
async function importedThread(bench: Harness): Promise<string> {
  await using source = await Harness.open({ files: handled(ECHO) });
  return await bench.threads.import(source.threads.export(await source.create("it")), undefined);
}
