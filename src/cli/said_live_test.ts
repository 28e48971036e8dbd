import assert from "node:assert/strict";
import { SaidLive } from "./said_live.ts";

function live() {
  let written = "";
  const it = new SaidLive({ out: (text) => void (written += text), heading: (prompt) => `now  ${prompt}` });
  const data = { depth: 0, prompt: "assistant", message: "m1" };
  return {
    it,
    piece: (at: number, text: string, more: object = {}) =>
      it.take({ ...data, type: "piece", at, text, ...more }),
    void: () => it.take({ ...data, type: "void" }),
    written: () => written,
  };
}

Deno.test("an answer is written as it comes, and its message is not printed again", () => {
  const { it, piece, written } = live();
  piece(0, "One\n");
  piece(4, "two\u001b");
  piece(8, "\n");
  assert.equal(it.isWhole("m1", "One\ntwo\u001b"), true);
  assert.equal(written(), "now  assistant\n  One\n  two\ufffd\n  \n");
});

Deno.test("what was broken off, has a hole, or is another text is printed whole when it is there", () => {
  const broken = live();
  broken.piece(0, "One");
  broken.it.breakOff();
  broken.it.breakOff();
  broken.piece(3, " two");
  assert.equal(broken.it.isWhole("m1", "One two"), false);
  assert.equal(broken.written(), "now  assistant\n  One …\n");
  const hole = live();
  hole.piece(0, "One");
  hole.piece(9, "two");
  assert.equal(hole.it.isWhole("m1", "One … two"), false);
  const other = live();
  other.piece(0, "One");
  assert.equal(other.it.isWhole("m1", "Two"), false);
  assert.equal(other.it.isWhole("m1", "One"), false);
});

Deno.test("what is void is said to be, and the next provider's answer begins anew", () => {
  const { it, piece, void: none, written } = live();
  piece(0, "Half");
  none();
  none();
  piece(0, "Whole");
  assert.equal(it.isWhole("m1", "Whole"), true);
  assert.equal(written(), "now  assistant\n  Half … (void)\nnow  assistant\n  Whole\n");
});

Deno.test("prompts that are called as tools, and what began before, are not shown", () => {
  const { it, piece, written } = live();
  piece(0, "inner", { depth: 1 });
  piece(7, "late");
  it.take("odd");
  assert.equal(it.isWhole("m1", "before late"), false);
  assert.equal(written(), "");
});
