import assert from "node:assert/strict";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import { openThreadStore } from "../../src/store/mod.ts";

const PROGRAM = new URL("thread_writes_program.ts", import.meta.url).pathname;
const ROUNDS = 8;

/** Runs the program until `lines` lines were told, kills it, and gives all that it told. */
async function killAfter(path: string, lines: number): Promise<readonly string[]> {
  const args = ["run", "-A", "--no-check", PROGRAM, path];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  let text = "", killed = false;
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (killed || text.split("\n").length <= lines) continue;
    killed = true;
    child.kill("SIGKILL");
  }
  await child.status;
  return text.split("\n").slice(0, -1).filter((line) => line !== "ready");
}

Deno.test("what was acknowledged before a kill -9 is there, and no message is half there", async () => {
  const path = `${await Deno.makeTempDir()}/threads.db`;
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const line of await killAfter(path, 1 + round * 37)) {
      const [thread = "", seq] = line.split(" ");
      acknowledged.set(thread, Math.max(acknowledged.get(thread) ?? 0, Number(seq)));
    }
    using store = await openThreadStore({ path, clock: systemClock, log: silentLogger });
    for (const thread of store.threads({ limit: 99, offset: 0 })) {
      assert.ok(thread.seq >= (acknowledged.get(thread.id) ?? 0), `${thread.id} was at ${thread.seq}`);
      const page = { limit: 1_000_000, offset: 0, order: "asc", includeSilent: true, maxDepth: 0 } as const;
      const places = store.messages(thread.id, page).map(({ seq }) => seq);
      assert.deepEqual(places, Array.from({ length: thread.seq }, (_, i) => i + 1));
      assert.equal(store.countMessages(thread.id, page), thread.seq);
    }
  }
  assert.equal(acknowledged.size, 8);
});
