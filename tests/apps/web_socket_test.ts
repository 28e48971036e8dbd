/// <reference lib="dom" />
import assert from "node:assert/strict";
import { closeBrowser, launch } from "./attacks/browser.ts";
import { addApp, deployApp, startDaemon } from "./daemon.ts";
import { CI, missingDriver } from "./drivers.ts";
import { ROOT } from "../../tools/repository.ts";

/** As the skill has it, with the kit. */
const SERVER = `import { type App, type Call, serve } from "./vendor/handler_app.js";
const app: App = {
  migrations: new URL("./migrations/", import.meta.url),
  routes: {
    "GET /api/live": ({ request, person }: Call) => {
      const { socket, response } = Deno.upgradeWebSocket(request);
      socket.onmessage = ({ data }) => socket.send(person + " said " + data);
      return response;
    },
  },
};
await serve(app);
`;

for (const name of ["chromium", "firefox"] as const) {
  const missing = missingDriver("bubblewrap");
  Deno.test({
    name: `a page speaks with its backend over a WebSocket (${name})`,
    ignore: missing !== undefined && !CI,
    sanitizeOps: false, // the browser's driver keeps timers of its own
    sanitizeResources: false,
    async fn() {
      await using home = await startDaemon("bubblewrap");
      const source = await addApp(home, { name: "live", server: SERVER });
      await Deno.mkdir(`${source}/server/vendor`);
      await Deno.mkdir(`${source}/server/migrations`);
      await Deno.writeTextFile(
        `${source}/server/migrations/001_none.sql`,
        "CREATE TABLE none (id INTEGER) STRICT;",
      );
      for (const file of ["handler_app.js", "handler_app.d.ts"]) {
        await Deno.copyFile(
          `${ROOT}/addons/miniapp/template/server/vendor/${file}`,
          `${source}/server/vendor/${file}`,
        );
      }
      await deployApp(home, "live");
      const { url } = await home.client.appLink("live", "owner");
      const browser = await launch(name, "window", Number(new URL(url).port), home.path);
      try {
        const page = await browser.newPage();
        await page.goto(url);
        await page.waitForFunction(() => document.title === "Small", { polling: 50 });
        const said = await page.evaluate(() =>
          new Promise((got, failed) => {
            const socket = new WebSocket("/api/live");
            socket.onopen = () => socket.send("hello");
            socket.onmessage = ({ data }) => got(data);
            socket.onerror = () => failed(new Error("the socket failed"));
          })
        );
        assert.equal(said, "owner said hello");
      } finally {
        await closeBrowser(browser);
      }
    },
  });
}
