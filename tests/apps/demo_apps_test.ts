import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../../tools/repository.ts";
import { layHome, type SystemHome } from "../system/home.ts";
import { type Ask, askPort } from "./ask.ts";
import { task } from "./author.ts";

/** What an app takes over from the template as it is. */
const SHARED = [
  ".gitignore",
  "deno.json",
  "ui/deno.json",
  "ui/deno.lock",
  "ui/package.json",
  "ui/vite.config.ts",
  "ui/src/api.ts",
  "ui/src/remote.ts",
  "ui/src/main.ts",
  "ui/src/Problem.svelte",
  "ui/src/app.css",
];

Deno.test("the demo apps are made from the template", async () => {
  for (const file of SHARED) {
    const text = await Deno.readTextFile(join(ROOT, "addons/miniapp/template", file));
    for (const app of ["coach", "receipts"]) {
      assert.equal(await Deno.readTextFile(join(ROOT, "apps", app, file)), text, `${app}/${file}`);
    }
  }
});

for (const app of ["coach", "receipts"]) {
  Deno.test(`the own tests of ${app} pass, and its types hold`, async () => {
    const told = await task(join(ROOT, "apps", app), "test");
    assert.equal(told.match(/\d+ passed \| 0 failed/g)?.length, 2, told);
    await task(join(ROOT, "apps", app), "check");
  });
}

/** A whole daemon with one of the demo apps deployed. */
async function withDemo(
  name: string,
  services: Readonly<Record<string, readonly string[]>>,
  use: (home: SystemHome, ask: (asked: Ask) => Promise<string>) => Promise<void>,
): Promise<void> {
  await using home = await layHome({ files: { "bindings/ocr.toml": 'connector = "ocr-tesseract"\n' } });
  home.env.HANDLER_PORT = "0";
  await home.start();
  const { client } = home;
  await client.appAdd(join(ROOT, "apps", name));
  await client.appSettle(name, { services });
  const { hash, unsettled } = await client.appPlan(name);
  assert.deepEqual(unsettled, []);
  const report = await client.appDeploy(name, hash, () => {});
  assert.equal(report.deployed, true, JSON.stringify(report));
  await use(home, await opened(home, name));
}

/** Asks as the app's own page does, once its link was opened. */
async function opened(home: SystemHome, name: string): Promise<(asked: Ask) => Promise<string>> {
  const { host, port, hash, origin, pathname } = new URL((await home.client.appLink(name, "owner")).url);
  const spent = await askPort(Number(port), {
    method: "POST",
    path: pathname,
    headers: { host, origin },
    body: hash.slice(1),
  });
  const cookie = spent.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return async ({ headers, ...asked }) => {
    const { status, text } = await askPort(Number(port), {
      ...asked,
      headers: { host, origin, cookie, ...headers },
    });
    assert.ok(status < 300, `${asked.method ?? "GET"} ${asked.path}: ${status} ${text}`);
    return text;
  };
}

Deno.test("receipts reads a photo through the router and keeps its lines and its sum", () =>
  withDemo("receipts", { ocr: ["ocr"] }, async (home, ask) => {
    const body = await Deno.readFile(join(ROOT, "interfaces/ocr/v1/conformance/invoice-scan.jpg"));
    const asked = { method: "POST", path: "/api/receipts?name=invoice.jpg", body };
    const receipt = JSON.parse(await ask({ ...asked, headers: { "content-type": "image/jpeg" } }));
    assert.equal(receipt.problem, null, await home.client.appLog("receipts") + await home.output());
    assert.deepEqual([receipt.shop, receipt.currency], ["Harbour Lane Office Supplies Ltd", "GBP"]);
    assert.deepEqual([receipt.total, receipt.tax], [108485, 18081]);
    assert.equal(receipt.lines.length, 6);
    assert.deepEqual(receipt.lines.at(-2), { label: "Desk lamp with LED, adjustable", amount: 19194 });
    await home.client.appStop("receipts");
    assert.deepEqual(JSON.parse(await ask({ path: "/api/receipts" })), [receipt]);
  }));

Deno.test("coach asks in the morning, in the person's inbox, and not once the person has checked in", () =>
  withDemo("coach", {}, async (home, ask) => {
    const morning = async () => JSON.parse(await ask({ method: "POST", path: "/api/cron/morning" })).asked;
    assert.deepEqual(await morning(), ["owner"]);
    assert.deepEqual(await morning(), []);
    const [message, ...others] = await home.client.inbox("owner", true);
    assert.deepEqual(others, []);
    assert.deepEqual([message!.source, message!.link], ["app:coach", "/"]);
    assert.match(message!.title, /Good morning/);

    const day = new Date().toISOString().slice(0, 10);
    const checkIn = { day, mood: 4, intention: "Write the letter", done: null };
    const headers = { "content-type": "application/json", "idempotency-key": "k" };
    for (let time = 0; time < 2; time++) {
      await ask({ method: "POST", path: "/api/checkin", headers, body: JSON.stringify(checkIn) });
    }
    assert.deepEqual(JSON.parse(await ask({ path: "/api/days" })), [checkIn]);
  }));
