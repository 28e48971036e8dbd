import assert from "node:assert/strict";
import { openWindow } from "../../src/cli/window/open.ts";
import { deferred, delay, within } from "../../src/base/mod.ts";
import { endGroup, isAlive } from "../../src/platform/mod.ts";
import { curiousPage, type PageReport } from "./window_page.ts";

/** How a browser is started without a screen. */
const BROWSERS = {
  firefox: { program: "firefox-esr", words: "--headless" },
  chromium: { program: "chromium", words: "--headless=new --no-sandbox" },
} as const;

/** A program on the search path that starts a real browser without a screen and notes its process. */
async function layBrowser(root: string, name: keyof typeof BROWSERS): Promise<void> {
  const { program, words } = BROWSERS[name];
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >"${root}/words"\necho $$ >"${root}/pid"\n` +
    `exec /usr/bin/${program} ${words} "$@" >/dev/null 2>&1\n`;
  await Deno.mkdir(`${root}/bin`);
  await Deno.writeTextFile(`${root}/bin/${name}`, script, { mode: 0o755 });
}

/** An app's origin that serves the curious page and hears its report. */
function serveApp(sink: number) {
  const spent: string[] = [];
  const report = deferred<PageReport>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/socket") return Deno.upgradeWebSocket(request).response;
    if (pathname === "/spend") spent.push(await request.text());
    if (pathname === "/report") report.resolve(await request.json());
    const page = request.method === "GET" ? curiousPage(sink) : "";
    return new Response(page, { headers: { "content-type": "text/html" } });
  });
  return { server, spent, report: report.promise };
}

async function endBrowser(root: string): Promise<void> {
  const pid = Number(await Deno.readTextFile(`${root}/pid`));
  endGroup(pid, "SIGKILL");
  while (isAlive(pid)) await delay(20);
}

/** Removes a folder that the last of a browser's processes may still write into. */
async function removeFolder(root: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return await Deno.remove(root, { recursive: true });
    } catch {
      await delay(100);
    }
  }
}

/** What a window shows, at which name, and whether it gets to the desk. */
const WINDOWS = [
  { browser: "firefox", shows: "an app", host: "notes.localhost", desk: "failed" },
  { browser: "chromium", shows: "an app", host: "notes.localhost", desk: "failed" },
  { browser: "firefox", shows: "the desk", host: "localhost", desk: "reached" },
  { browser: "chromium", shows: "the desk", host: "localhost", desk: "reached" },
] as const;

for (const { browser, shows, host, desk } of WINDOWS) {
  Deno.test(`the window of ${browser} shows ${shows} and reaches nothing but Handler's addresses`, async () => {
    const root = await Deno.makeTempDir({ prefix: "hw-" });
    const reached: string[] = [];
    const sink = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
      reached.push(url);
      return new Response("");
    });
    const app = serveApp(sink.addr.port);
    await layBrowser(root, browser);
    try {
      const link = `http://${host}:${app.server.addr.port}/_handler/open#t0ken`;
      const desktop = {
        os: "linux",
        path: `${root}/bin`,
        home: root,
        dataFolder: `${root}/data`,
        graphical: true,
      };
      const opened = await openWindow(desktop, { link, browser: undefined, now: Date.now() });
      assert.deepEqual(opened, { browser, closed: true });
      const { fetched, own, candidates, webSocket } = await within(120_000, "the page's report", app.report);
      assert.deepEqual([...new Set(Object.values(fetched))], ["failed"], JSON.stringify(fetched));
      assert.deepEqual(own, { desk, app: "reached" });
      assert.deepEqual([candidates, webSocket, app.spent], [[], "open", ["#t0ken"]]);
      await delay(1500); // the page tries to leave after its report
      assert.deepEqual(reached, []);
      assert.doesNotMatch(await Deno.readTextFile(`${root}/words`), /t0ken/);
    } finally {
      await endBrowser(root);
      await Promise.all([app.server.shutdown(), sink.shutdown()]);
      await removeFolder(root);
    }
  });
}
