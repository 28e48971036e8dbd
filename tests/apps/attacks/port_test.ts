import assert from "node:assert/strict";
import type { Browser } from "puppeteer-core";
import { visit } from "../ask.ts";
import type { Desk } from "../desk.ts";
import { makeDesk } from "../desk.ts";
import { CI, missingDriver } from "../drivers.ts";
import { backend } from "../small_app.ts";
import { attacksIn, type PortAttack } from "./attack.ts";
import { browserProgram, closeBrowser, launch } from "./browser.ts";

const SERVER = backend(
  'if (pathname === "/api/who") return new Response(request.headers.get("x-handler-person"));',
);

/** What the app says to the person after an attack. */
async function stateAfter(browser: Browser, desk: Desk, attack: PortAttack): Promise<string> {
  const port = await desk.port();
  const others = (await visit(desk, "other")).cookie;
  let seen = "";
  const site = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen += request.headers.get("cookie") ?? "";
    const headers = new Headers({ "content-type": "text/html" });
    for (const cookie of attack.cookies(others)) headers.append("set-cookie", cookie);
    return new Response("<title>site</title>", { headers });
  });
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://victim.localhost:${port}/_handler/open#${desk.sessions.link("victim", "owner")}`);
    await page.waitForFunction("document.title === 'Small'");
    await page.goto(`http://victim.localhost:${site.addr.port}/`);
    assert.match(seen, /handler-app=/, "a browser sends the cookie to any port: docs/security.md says so");
    const answer = await page.goto(`http://victim.localhost:${port}/api/who`);
    const status = answer?.status() ?? 0;
    const text = await page.evaluate("document.body.textContent") as string;
    if (status === 200) return text;
    assert.deepEqual([status, /handler app open/.test(text)], [401, true]);
    return "signed out";
  } finally {
    await context.close();
    await site.shutdown();
  }
}

for (const browserName of ["chromium", "firefox"] as const) {
  const missing = missingDriver("bubblewrap") ??
    (await browserProgram(browserName) ? undefined : "it is not here");
  Deno.test({
    name: `cookies by port in ${browserName}${missing ? ` (${missing})` : ""}`,
    ignore: missing !== undefined && !CI,
    sanitizeOps: false, // the browser's driver keeps timers of its own
    sanitizeResources: false,
    async fn(t) {
      await using desk = await makeDesk();
      for (const name of ["victim", "other"]) {
        await desk.lay({ name, server: SERVER });
        await desk.deploy(name);
      }
      const folder = await Deno.makeTempDir({ prefix: "browser-" });
      const browser = await launch(browserName, "plain", await desk.port(), folder);
      try {
        for (const [name, attack] of await attacksIn<PortAttack>("other_port")) {
          await t.step(`${name}: ${attack.what}`, async () => {
            const state = await stateAfter(browser, desk, attack);
            assert.ok(attack.mayBe.some((one) => one === state), state);
          });
        }
      } finally {
        await closeBrowser(browser);
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
