import assert from "node:assert/strict";
import { handled } from "./definitions.ts";
import { Harness } from "./harness.ts";

Deno.test("a list tells threads apart, a view says who is behind the sides", async () => {
  await using bench = await Harness.open({
    files: handled(`await state.injectMessage({ role: "assistant", content: "said " + message.content });`),
  });
  const thread = await bench.create("it");
  const [fresh] = bench.threads.list({ limit: 9, offset: 0, agent: "it" });
  assert.deepEqual([fresh?.last, fresh?.children], [null, 0]);
  await bench.send(thread, "go");
  await bench.idle();
  const [entry] = bench.threads.list({ limit: 9, offset: 0, ended: false });
  assert.deepEqual([entry?.last?.role, entry?.last?.text], ["assistant", "said go"]);
  const { a, b } = bench.threads.show(thread).sides;
  assert.deepEqual([a?.backing, b?.backing], ["handler", "human"]);
  assert.equal(b?.name, null);
});

Deno.test("messages are read from a place on, in both directions", async () => {
  await using bench = await Harness.open({ files: handled("") });
  const thread = await bench.create("it");
  for (const text of ["1", "2", "3", "4", "5"]) await bench.send(thread, text);
  await bench.idle();
  const page = { limit: 2, offset: 0, includeSilent: true } as const;
  const texts = (query: { after?: number; before?: number; order: "asc" | "desc" }) =>
    bench.threads.messages(thread, { ...page, ...query }).map(({ content }) => content).join();
  assert.equal(texts({ order: "asc" }), "4,5");
  const middle = bench.threads.messages(thread, { ...page, limit: 9, order: "asc" })[2]!;
  assert.equal(middle.content, "3");
  assert.equal(texts({ after: middle.seq, order: "asc" }), "4,5");
  assert.equal(texts({ after: 0, order: "asc" }), "1,2");
  assert.equal(texts({ before: middle.seq, order: "desc" }), "2,1");
  assert.equal(bench.threads.message(thread, middle.id).seq, middle.seq);
  assert.throws(() => bench.threads.message(thread, "none"), { kind: "not_found" });
});

Deno.test("what a thread keeps is shown without secrets, and a person takes an effect back", async () => {
  await using bench = await Harness.open({
    files: {
      ...handled(`
        await state.setValue("list", ["flour"]);
        await state.scheduleEffect("later", { n: 1 }, 3_600_000);`),
      "effects/later.ts": `export default defineEffect("comes later", async () => {});`,
    },
  });
  const thread = await bench.create("it", { env: { KEY: "hidden" } });
  await bench.send(thread, "go");
  await bench.idle();
  const { values, variables, effects } = bench.threads.kept(thread);
  assert.deepEqual(values, [{ key: "list", value: '["flour"]' }]);
  assert.deepEqual(variables, [{ name: "KEY", type: "secret", value: null }]);
  assert.deepEqual(effects.map(({ name, args }) => [name, args]), [["later", '{"n":1}']]);
  await bench.threads.cancelEffect(thread, effects[0]!.id);
  assert.deepEqual(bench.threads.kept(thread).effects, []);
  await assert.rejects(bench.threads.cancelEffect(thread, effects[0]!.id), { kind: "conflict" });
});
