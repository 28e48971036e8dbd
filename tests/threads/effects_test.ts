import assert from "node:assert/strict";
import { handled } from "./definitions.ts";
import { Harness } from "./harness.ts";

Deno.test("an effect has as long as a turn; then what it asks is refused, and it has failed", async () => {
  await using bench = await Harness.open({
    files: {
      ...handled(`await state.scheduleEffect("on", {});`),
      "effects/on.ts": `export default defineEffect("goes on and on", async (state) => {
        for (;;) await state.getValue("x");
      });`,
    },
    settings: { turnLimitMs: 200 },
  });
  const thread = await bench.create("it");
  await bench.send(thread, "go");
  const page = { limit: 10, offset: 0, order: "asc" } as const;
  const end = performance.now() + 10_000;
  while (bench.threads.logs(thread, page).length === 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const [log] = bench.threads.logs(thread, page);
  assert.equal(log?.kind, "effect_execution");
  assert.match(log!.error!.message, /took more than 0.2 s|run is over/);
  await bench.idle();
});
