import assert from "node:assert/strict";
import { receiptsApp } from "./app.ts";
import type { Receipt } from "./receipts.ts";
import { type OpenApp, openApp, ServiceError } from "./vendor/handler_app.js";

const PHOTO = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
const TEXT = "Corner Shop\nTea 2.50\nBread 1.20\nTotal GBP 3.70";

interface Opened {
  readonly app: OpenApp;
  readonly folder: string;
  add(headers?: Record<string, string>): Promise<Receipt>;
}

async function withApp(
  readPages: (path: string) => Promise<string>,
  use: (opened: Opened) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    using app = await openApp(receiptsApp({ folder: () => folder, readPages }), { data: ":memory:" });
    const add = async (headers = {}) =>
      await (await app.call("POST /api/receipts?name=lunch.jpg", { body: PHOTO, headers })).json();
    await use({ app, folder, add });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a photo is kept and read", () => {
  const asked: string[] = [];
  const readPages = (path: string) => (asked.push(path), Promise.resolve(TEXT));
  return withApp(readPages, async ({ app, folder, add }) => {
    const receipt = await add();
    assert.deepEqual([receipt.shop, receipt.currency, receipt.total, receipt.problem], [
      "Corner Shop",
      "GBP",
      370,
      null,
    ]);
    assert.deepEqual(receipt.lines, [{ label: "Tea", amount: 250 }, { label: "Bread", amount: 120 }]);
    assert.match(asked.join(), /^files\/[0-9a-f-]{36}\.jpg$/);
    assert.deepEqual(await Deno.readFile(`${folder}/${asked[0]}`), PHOTO);
    const file = await app.call("GET /api/receipts/1/file");
    assert.equal(file.headers.get("content-type"), "image/jpeg");
    assert.deepEqual(new Uint8Array(await file.arrayBuffer()), PHOTO);
    assert.deepEqual(await (await app.call("GET /api/receipts")).json(), [receipt]);
  });
});

Deno.test("what could not be read is kept with the reason and read later", () => {
  let down = true;
  const readPages = () =>
    down ? Promise.reject(new ServiceError("unavailable", "down")) : Promise.resolve(TEXT);
  return withApp(readPages, async ({ app, add }) => {
    const receipt = await add();
    assert.match(receipt.problem!, /Try again later/);
    down = false;
    const again: Receipt = await (await app.call("POST /api/receipts/1/read")).json();
    assert.deepEqual([again.problem, again.total], [null, 370]);
  });
});

Deno.test("a photo that is sent twice is kept once", () =>
  withApp(() => Promise.resolve(TEXT), async ({ add }) => {
    const first = await add({ "idempotency-key": "k" });
    assert.deepEqual(await add({ "idempotency-key": "k" }), first);
  }));

Deno.test("what was read wrong is put right, and what is not wanted goes with its file", () =>
  withApp(() => Promise.resolve(TEXT), async ({ app, folder, add }) => {
    await add();
    const json = { shop: " Corner Shop Ltd ", total: 380 };
    const corrected: Receipt = await (await app.call("PUT /api/receipts/1", { json })).json();
    assert.deepEqual([corrected.shop, corrected.total], ["Corner Shop Ltd", 380]);
    assert.equal((await app.call("PUT /api/receipts/1", { json: { shop: "x", total: 1.5 } })).status, 400);
    assert.equal((await app.call("DELETE /api/receipts/1")).status, 204);
    assert.deepEqual([...Deno.readDirSync(`${folder}/files`)], []);
    assert.deepEqual(app.db.all("SELECT * FROM lines"), []);
  }));

Deno.test("nobody sees another's receipts, and what is no picture is refused", () =>
  withApp(() => Promise.resolve(TEXT), async ({ app, add }) => {
    await add();
    for (const route of ["GET /api/receipts/1/file", "POST /api/receipts/1/read", "DELETE /api/receipts/1"]) {
      assert.equal((await app.call(route, { person: "alice" })).status, 404, route);
    }
    assert.equal((await app.call("POST /api/receipts", { body: "<html>" })).status, 415);
    assert.equal((await app.call("GET /api/receipts/x/file")).status, 404);
  }));
