import assert from "node:assert/strict";
import { calmly } from "./calmly.ts";

Deno.test("what is asked for often is done at once, then once for all who asked meanwhile", () => {
  let done = 0, later: (() => void) | undefined;
  const calm = calmly(() => done++, 100, (_, fire) => {
    later = fire;
    return () => later = undefined;
  });
  calm.ask();
  calm.ask();
  calm.ask();
  assert.equal(done, 1);
  later!();
  assert.equal(done, 2);
  later!();
  assert.equal(done, 2, "nobody asked again");
  calm.ask();
  calm.ask();
  calm.end();
  assert.equal(later, undefined);
  assert.equal(done, 3);
});
