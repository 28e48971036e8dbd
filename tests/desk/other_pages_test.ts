/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Browser, Frame, Page } from "puppeteer-core";
import { addApp, deployApp } from "../apps/daemon.ts";
import type { BrowserName } from "../apps/attacks/attack.ts";
import { browserProgram, closeBrowser, launch } from "../apps/attacks/browser.ts";
import { CI, missingDriver } from "../apps/drivers.ts";
import { BROWSERS } from "./desk.ts";
import { layHome, type SystemHome } from "../system/home.ts";
import { until } from "../system/wait.ts";

/** How long an attempt may take: most end in an error at once, some in nothing. */
const LONGEST_MS = 1_500;
const AT_ONCE = 6;

/** What is tried from another page: each gives what it got, which is nothing where the desk is closed to it. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  "a read": `return (await fetch(desk + "/v1/status", { credentials: "include" })).text()`,
  "a read without asking":
    `const answer = await fetch(desk + "/v1/status", { mode: "no-cors", credentials: "include" });
    return answer.text()`,
  "a change":
    `return (await fetch(desk + "/v1/secrets/evil", { method: "PUT", body: "x", credentials: "include" })).status`,
  "a change without asking":
    `await fetch(desk + "/v1/shutdown", { method: "POST", mode: "no-cors", credentials: "include" })`,
  "a beacon": `navigator.sendBeacon(desk + "/v1/shutdown")`,
  "events": `return await new Promise((got) => {
    const source = new EventSource(desk + "/v1/changes", { withCredentials: true });
    source.addEventListener("hello", ({ data }) => got(data));
  })`,
  "a socket": `return await new Promise((got) => {
    new WebSocket(desk.replace("http", "ws") + "/v1/changes").onopen = () => got("open");
  })`,
  "a script": `return await load("script", "src", desk + "/v1/status")`,
  "a script of the page": `return await load("script", "src", asset)`,
  "a style": `return await load("link", "href", desk + "/v1/status")`,
  "an image": `return await load("img", "src", desk + "/icon.svg")`,
  "a video": `return await load("video", "src", desk + "/v1/status")`,
  "a worker": `return await new Promise((got) => new Worker(asset).onmessage = ({ data }) => got(data))`,
  "a link to spend":
    `return (await fetch(desk + "/_handler/open", { method: "POST", body: "x", credentials: "include" })).status`,
  "a window": `const opened = window.open(desk + "/");
    await new Promise((later) => setTimeout(later, 700));
    return opened && !opened.closed ? opened.location.href + opened.document.body.innerText : ""`,
  "a form":
    `const form = Object.assign(document.createElement("form"), { method: "POST", action: desk + "/v1/shutdown" });
    document.body.append(form);
    form.submit();
    await new Promise(() => {})`,
  "a way into the API": `location.assign(desk + "/v1/secrets");
    await new Promise(() => {})`,
  "a frame": `document.body.append(Object.assign(document.createElement("iframe"), { src: desk + "/" }));
    await new Promise(() => {})`,
};

const HELPERS = `const load = (tag, attribute, url) => new Promise((got) => {
  const element = Object.assign(document.createElement(tag), { rel: "stylesheet" });
  element.onload = element.onloadeddata = () => got(tag + " came");
  element[attribute] = url;
  document.head.append(element);
})`;

/** Runs one attempt in a page of its own, and gives what it got and what is seen then, as text. */
async function attempt(
  browser: Browser,
  from: string,
  script: string,
  { desk, asset }: Targets,
): Promise<string> {
  const page = await browser.newPage();
  try {
    await page.goto(`${from}/`);
    const body = `(async () => { const desk = ${JSON.stringify(desk)}, asset = ${
      JSON.stringify(asset)
    }; ${HELPERS};
      return String(await (async () => { ${script} })() ?? "");
    })().catch(() => "")`;
    const late = new Promise<string>((end) => setTimeout(end, LONGEST_MS, ""));
    const got = await Promise.race([page.evaluate(body).catch(() => ""), late]) as string;
    const seen = await Promise.all(page.frames().map((frame) => textOf(frame)));
    return [got, ...seen.filter((text) => PRIVATE.test(text))].join("");
  } finally {
    await page.close();
  }
}

/** What the desk shows or says to who is signed in, and to nobody else. */
const PRIVATE = /Home|storedIn|memoryBytes/;

async function textOf(frame: Frame): Promise<string> {
  const late = new Promise<string>((end) => setTimeout(end, 1_000, ""));
  return await Promise.race([frame.evaluate(() => document.body?.innerText ?? "").catch(() => ""), late]);
}

/** What is aimed at. */
interface Targets {
  /** The desk's origin. */
  readonly desk: string;
  /** A script of its page. */
  readonly asset: string;
}

/** A daemon with the app `evil`, whose owner has the desk and the app open in a browser. */
async function withScene(
  name: BrowserName,
  use: (
    scene: { home: SystemHome; browser: Browser; desk: string; asset: string; app: string },
  ) => Promise<void>,
): Promise<void> {
  await using home = await layHome();
  await home.start();
  await addApp(home, { name: "evil" });
  await deployApp(home, "evil");
  const { url } = await home.client.deskLink();
  const browser = await launch(name, "plain", Number(new URL(url).port), home.path);
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const asset = await found(page, `document.querySelector("script[src*='/assets/']")?.src`);
    await page.goto((await home.client.appLink("evil", "owner")).url);
    const app = await found(page, `document.title === "Small" && location.origin`);
    await use({ home, browser, desk: new URL(url).origin, asset, app });
  } finally {
    await closeBrowser(browser);
  }
}

/** What is there once a link's own page has gone on; while it does, nothing can be asked. */
function found(page: Page, expression: string): Promise<string> {
  return until(expression, async () => await page.evaluate(expression) as string | undefined | false);
}

/** A page of somebody else's, under every name of this machine. */
function serveSite(body = "<!doctype html><title>site</title><body>") {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    return new Response(body, { headers: { "content-type": "text/html" } });
  });
}

for (const name of BROWSERS) {
  const missing = missingDriver("bubblewrap") ?? (await browserProgram(name) ? undefined : "it is not here");
  const options = {
    ignore: missing !== undefined && !CI,
    sanitizeOps: false, // the browser's driver keeps timers of its own
    sanitizeResources: false,
  };
  Deno.test({
    ...options,
    name: `no other page gets at the desk in ${name}${missing ? ` (${missing})` : ""}`,
    fn: (t) =>
      withScene(name, async ({ home, browser, desk, asset, app }) => {
        await using site = serveSite();
        const { port } = site.addr;
        const all = Object.entries(ATTEMPTS);
        for (const from of [app, `http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
          await t.step(`from ${from.replace(/\d+$/, "…")}`, async () => {
            for (let at = 0; at < all.length; at += AT_ONCE) {
              await Promise.all(
                all.slice(at, at + AT_ONCE).map(async ([what, script]) => {
                  assert.equal(await attempt(browser, from, script, { desk, asset }), "", what);
                }),
              );
            }
          });
        }
        await t.step("the desk's own page gets what it asks for", async () => {
          const expected = { "a read": /memoryBytes/, events: /instance/, "an image": /img came/ };
          for (const [what, text] of Object.entries(expected)) {
            assert.match(await attempt(browser, desk, ATTEMPTS[what]!, { desk, asset }), text, what);
          }
        });
        assert.deepEqual(await home.client.secrets(), [], "nothing was changed, and the daemon runs");
      }),
  });
}
