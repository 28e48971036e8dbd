import assert from "node:assert/strict";
import type { LogRow, TurnRow } from "$client";
import { dataOf, entriesOf, figuresOf } from "./turns.ts";

const turn = (seq: number, given: Partial<TurnRow> = {}): TurnRow => ({
  ...{ thread: "t", seq, rev: seq, id: `u${seq}`, session: 1, side: "a", backing: "prompt", name: "clerk" },
  ...{
    messageId: "m1",
    state: "done",
    startedAt: 1_000_000,
    endedAt: 3_500_000,
    stopCode: null,
    error: null,
  },
  ...given,
});

const log = (
  seq: number,
  of: string | null,
  data: object,
  kind: LogRow["kind"] = "model_request",
): LogRow => ({
  ...{
    thread: "t",
    seq,
    rev: seq,
    id: `l${seq}`,
    turn: of,
    kind,
    name: "clerk",
    messageId: null,
    createdAt: seq,
  },
  ...{ complete: true, latencyMs: 5, error: null, data: JSON.stringify(data) },
});

Deno.test("a turn's figures are the sum of its requests", () => {
  const asked = { model: "small", input_tokens: 10, output_tokens: 2, tools_called: ["look_up"], cost: 0.5 };
  const rows = [log(2, "u1", asked), log(3, "u1", { ...asked, tools_called: [], cost: null })];
  assert.deepEqual(figuresOf(turn(1), rows), {
    ...{ took: 2500, inputTokens: 20, outputTokens: 4, models: ["small"], cost: 0.5, tools: ["look_up"] },
  });
  assert.equal(figuresOf(turn(1, { endedAt: null }), []).took, undefined);
  assert.equal(figuresOf(turn(1), []).cost, undefined);
  assert.deepEqual(dataOf({ ...rows[0]!, data: "no json" }), {});
});

Deno.test("the newest stands first, rows beside the turns between them", () => {
  const rows = [
    log(1, "gone", {}),
    log(2, null, {}),
    log(5, "u4", {}),
    log(6, null, {}, "deadlock"),
    log(8, "u7", {}),
  ];
  const entries = entriesOf([turn(4), turn(7)], rows);
  assert.deepEqual(entries.map(({ key }) => key), ["u7", "l6", "u4"]);
  assert.ok(entries[2]?.kind === "turn" && entries[2].logs.length === 1);
  assert.deepEqual(entriesOf([], rows).map(({ key }) => key), ["l6", "l2"]);
});
