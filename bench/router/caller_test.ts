import assert from "node:assert/strict";
import { Caller, type Pipe } from "./caller.ts";

/** A pipe whose far end answers each line with what `answer` makes of its id, in chunks of `size` bytes. */
function answering(answer: (id: number) => string, size: number): Pipe {
  const arrived: Uint8Array[] = [];
  let wake = () => {};
  return {
    write(bytes) {
      for (const line of new TextDecoder().decode(bytes).split("\n").filter(Boolean)) {
        const { id } = JSON.parse(line);
        const back = new TextEncoder().encode(answer(id) + "\n");
        for (let at = 0; at < back.length; at += size) arrived.push(back.subarray(at, at + size));
      }
      wake();
      return Promise.resolve(bytes.length);
    },
    async read(into) {
      while (arrived.length === 0) await new Promise<void>((resolve) => wake = resolve);
      const chunk = arrived.shift()!;
      into.set(chunk);
      return chunk.length;
    },
  };
}

Deno.test("an answer finds its call with the id first or last, in one chunk or many", async () => {
  const forms = [
    (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{"n":${id}}}`,
    (id: number) => `{"result":{"text":"${"x".repeat(100)}"},"jsonrpc":"2.0","id":${id}}`,
  ];
  for (const form of forms) {
    for (const size of [7, 10_000]) {
      const caller = new Caller(answering(form, size));
      const lines = await Promise.all([caller.ask("a", "{}"), caller.ask("b", "{}")]);
      assert.deepEqual(lines.map((line) => JSON.parse(new TextDecoder().decode(line)).id), [1, 2]);
    }
  }
});

Deno.test("a call that failed is no figure", async () => {
  const failed = new Caller(answering((id) => `{"jsonrpc":"2.0","id":${id},"result":{"isError":true}}`, 99));
  await assert.rejects(() => failed.call("echo_typed", "{}"), /echo_typed failed/);
});
