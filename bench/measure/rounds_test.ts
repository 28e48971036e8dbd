import assert from "node:assert/strict";
import { interleaved, quieter } from "./rounds.ts";

Deno.test("every way runs once a round", async () => {
  const ran: string[] = [];
  const way = (name: string) => () => Promise.resolve(ran.push(name));
  const rounds = await interleaved({ a: way("a"), b: way("b") }, { rounds: 5, limitMs: 60_000 });
  assert.equal(rounds.length, 5);
  for (let round = 0; round < 5; round++) {
    assert.deepEqual(ran.slice(round * 2, round * 2 + 2).sort(), ["a", "b"]);
  }
});

Deno.test("time ends it, once the least rounds are done", async () => {
  const ways = { a: () => Promise.resolve(0) };
  assert.equal((await interleaved(ways, { rounds: 9, limitMs: 0 })).length, 3);
  assert.equal((await interleaved(ways, { rounds: 9, limitMs: 0, least: 1 })).length, 1);
});

Deno.test("the quieter half is kept, and what nothing disturbed", () => {
  const rounds = [0.9, 0.05, 0.5, 0.02, 0.08, 0.07].map((foreign) => ({ foreign }));
  assert.deepEqual(quieter(rounds).map(({ foreign }) => foreign), [0.02, 0.05, 0.07, 0.08]);
  assert.deepEqual(quieter([{ foreign: 2 }, { foreign: 1 }]), [{ foreign: 1 }]);
});
