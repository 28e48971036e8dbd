/// <reference lib="dom" />
import type { Page } from "puppeteer-core";
import { BROWSERS, type Visit } from "../../tests/desk/desk.ts";
import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { type Figure, measured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const FLOOR = "a page of one heading, made by a script";

/** Runs before a page's own code: notes when its heading stands and nothing of the view is still asked for. */
const WATCH = `(() => {
  const look = () => {
    const ready = document.querySelector("h1") && !document.querySelector("main [role=status] .spoken");
    if (ready) globalThis.interactiveAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** The first view: its bytes as they travel, and the time until it can be used, in a browser that has nothing of it. */
export const firstView: Section = {
  rows: ["first-view", "interactive-chromium", "interactive-firefox"],
  async measure(context) {
    const figures: Figure[] = [];
    await using floor = serveFloor();
    for (const browser of BROWSERS) {
      context.say(`the first view in ${browser}`);
      const visit = await context.desk.visit(browser);
      await visit.settled();
      if (browser === "chromium") figures.push(await bytes(visit));
      figures.push(await interactive(context, visit, browser, floor.url));
      await visit.page.browser().close();
    }
    return figures;
  },
};

/** What the page fetches until it is at rest, with gzip as every browser takes it. */
async function bytes(visit: Visit): Promise<Figure> {
  await visit.go("/");
  await visit.settled();
  const urls = await visit.page.evaluate(() => [
    location.href,
    ...performance.getEntriesByType("resource").map(({ name }) => name).filter((name) =>
      !name.includes("/v1/")
    ),
  ]);
  const cookie = (await visit.page.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  let sum = 0;
  for (const url of urls) sum += await transferred(url, cookie);
  const why = `${urls.length} files, the API's answers not among them`;
  return measured("first-view", rounded(sum / 1000), sum <= 100_000, { why });
}

/** The bytes of an answer's body as they travel. */
async function transferred(url: string, cookie: string): Promise<number> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const asked = request(url, { headers: { cookie, "accept-encoding": "gzip" } }, (answer) => {
      let size = 0;
      answer.on("data", (chunk: Uint8Array) => size += chunk.length);
      answer.on("end", () => resolve(size));
      answer.on("error", reject);
    });
    asked.on("error", reject);
    asked.end();
  });
}

async function interactive(
  { quick }: Context,
  visit: Visit,
  browser: typeof BROWSERS[number],
  floor: string,
): Promise<Figure> {
  const { page } = visit;
  await page.evaluateOnNewDocument(WATCH);
  const rounds = await interleaved({
    handler: () => timeOf(page, `${visit.origin}/`),
    floor: () => timeOf(page, floor),
  }, { rounds: quick ? 3 : 15, limitMs: 60_000 });
  const kept = quieter(rounds);
  const value = median(kept.map(({ results }) => results.handler));
  const ratio = median(kept.map(({ results }) => results.handler / results.floor));
  const row = `interactive-${browser}` as const;
  return measured(row, Math.round(value), value <= 300, { peer: FLOOR, ratio: rounded(ratio) });
}

/** Milliseconds from the start of a load, without the cache, to a view that stands. */
async function timeOf(page: Page, url: string): Promise<number> {
  await page.setCacheEnabled(false).catch(() => {}); // not every browser has it; then the files are asked about
  await page.goto(url);
  const handle = await page.waitForFunction(() =>
    (globalThis as unknown as { interactiveAt?: number }).interactiveAt ?? false
  );
  return await handle.jsonValue() as number;
}

function serveFloor(): { readonly url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const script = new URL(request.url).pathname === "/script.js";
    const body = script
      ? `document.body.append(Object.assign(document.createElement("h1"), { textContent: "Here" }));`
      : `<!doctype html><title>floor</title><body><script type="module" src="/script.js"></script>`;
    return new Response(body, { headers: { "content-type": script ? "text/javascript" : "text/html" } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
