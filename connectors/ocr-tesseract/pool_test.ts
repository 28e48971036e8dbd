import assert from "node:assert/strict";
import { Pool } from "./pool.ts";
import type { Job, Outcome, Source } from "./protocol.ts";

/** A worker that answers each job when a line of its file's bytes says so: 0 at once, 1 never, 2 with a crash. */
const SCRIPT = new URL(
  `data:text/javascript,${
    encodeURIComponent(`
  let start;
  self.onmessage = ({ data }) => {
    if (!start) return void (start = data);
    const what = data.source.bytes[data.page ?? 0];
    if (what === 0) self.postMessage({ page: { text: "page " + data.page, blocks: [] } });
    if (what === 2) throw new Error("broken");
  };
`)
  }`,
);

const NONE = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

function poolOf(size: number) {
  let loaded = 0;
  const pool = new Pool({
    size,
    script: SCRIPT,
    engines: () => {
      loaded++;
      return Promise.resolve({ tesseract: NONE, pdfium: NONE, assets: "" });
    },
  });
  return { pool, loaded: () => loaded };
}

function source(...what: number[]): Source {
  const bytes = new Uint8Array(new SharedArrayBuffer(what.length));
  bytes.set(what);
  return { key: 1, format: "image", bytes };
}

const page = (of: Source, at: number, heavy = false): Job => ({
  kind: "page",
  source: of,
  page: at,
  languages: [],
  heavy,
});
const text = (outcome: Outcome) => "page" in outcome ? outcome.page.text : outcome;
const never = new AbortController().signal;

Deno.test("jobs are done, and what the workers need is loaded once", async () => {
  const { pool, loaded } = poolOf(2);
  const all = source(0, 0, 0, 0, 0);
  const call = Symbol();
  const outcomes = await Promise.all([0, 1, 2, 3, 4].map((at) => pool.run(page(all, at), call, never)));
  assert.deepEqual(outcomes.map(text), ["page 0", "page 1", "page 2", "page 3", "page 4"]);
  assert.equal(loaded(), 1);
  pool.close();
});

Deno.test("a cancelled job gives its worker's place to the next", async () => {
  const { pool } = poolOf(1);
  const controller = new AbortController();
  const stuck = pool.run(page(source(1), 0), Symbol(), controller.signal);
  const next = pool.run(page(source(0), 0), Symbol(), never);
  const waiting = pool.run(page(source(0), 0), Symbol(), controller.signal);
  controller.abort(new Error("cancelled"));
  await assert.rejects(stuck, /cancelled/);
  await assert.rejects(waiting, /cancelled/);
  assert.equal(text(await next), "page 0");
  pool.close();
});

Deno.test("calls take turns: a short one is not behind all pages of a long one", async () => {
  const { pool } = poolOf(1);
  const order: string[] = [];
  const run = (name: string, call: symbol, at: number) =>
    pool.run(page(source(0, 0, 0), at), call, never).then(() => order.push(name));
  const long = Symbol(), short = Symbol();
  await Promise.all([
    run("long 1", long, 0),
    run("long 2", long, 1),
    run("long 3", long, 2),
    run("short", short, 0),
  ]);
  assert.deepEqual(order, ["long 1", "long 2", "short", "long 3"]);
  pool.close();
});

Deno.test("large pages are read one at a time, small ones beside them", async () => {
  const { pool } = poolOf(2);
  const controller = new AbortController();
  const large = pool.run(page(source(1), 0, true), Symbol(), controller.signal);
  let done = false;
  const other = pool.run(page(source(0), 0, true), Symbol(), never).then(() => done = true);
  assert.equal(text(await pool.run(page(source(0), 0), Symbol(), never)), "page 0");
  assert.equal(done, false);
  controller.abort(new Error("enough"));
  await assert.rejects(large);
  assert.equal(await other, true);
  pool.close();
});

Deno.test("a worker that breaks is replaced", async () => {
  const { pool } = poolOf(1);
  assert.ok("crashed" in await pool.run(page(source(2), 0), Symbol(), never));
  assert.equal(text(await pool.run(page(source(0), 0), Symbol(), never)), "page 0");
  pool.close();
});
