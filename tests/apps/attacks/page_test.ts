import assert from "node:assert/strict";
import type { Browser, Page } from "puppeteer-core";
import { CI, missingDriver } from "../drivers.ts";
import { visit } from "../ask.ts";
import { attacksIn, type BrowserName, type PageAttack } from "./attack.ts";
import { browserProgram, closeBrowser, launch, type Profile } from "./browser.ts";
import { makeScene, markOf, type Scene } from "./scene.ts";
import { CONNECTION, openSink, openUdpSink } from "./sink.ts";

// Every attack runs in a page of its own; several are open at a time, so each has a sink of its own.

const AT_ONCE = 6;
const LONGEST_MS = 4_000;
/** After a page has done what it does: what it set going may take a moment to arrive. */
const SETTLE_MS = 600;

/** What came of an attack. */
interface Outcome {
  readonly name: string;
  readonly attack: PageAttack;
  readonly arrived: readonly string[];
  readonly read: readonly string[];
  /** Whether its page was there at all. */
  readonly began: boolean;
}

function addressOf(scene: Scene, port: number, { from }: PageAttack): string {
  const origin = from === "app page" ? `http://evil.localhost:${port}` : `http://127.0.0.1:${scene.site}`;
  return `${origin}/#`;
}

async function attempt(browser: Browser, scene: Scene, name: string, attack: PageAttack): Promise<Outcome> {
  const port = await scene.desk.port();
  await using sink = openSink();
  await using udp = await openUdpSink();
  const told = {
    module: `/attacks/${name}.js`,
    sink: `http://127.0.0.1:${sink.port}/leak`,
    host: `127.0.0.1:${sink.port}`,
    udp: udp.address,
    victim: `http://victim.localhost:${port}`,
    click: attack.click ?? false,
  };
  const page = await newPage(browser);
  const said: string[] = [];
  const heard = Promise.withResolvers<void>(), ready = Promise.withResolvers<void>();
  page.on("console", (message) => {
    said.push(message.text());
    if (message.text() === "READY") ready.resolve();
    if (message.text() === "DONE") heard.resolve();
  });
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => {}));
  const late = later(LONGEST_MS);
  const address = addressOf(scene, port, attack) + encodeURIComponent(JSON.stringify(told));
  void page.goto(address).catch(() => {}); // it may leave before it is there
  await Promise.race([ready.promise, late]);
  // what is evaluated counts as a person's doing, as a click has to for a new window
  if (attack.click) void page.evaluate("document.querySelector('#go').click()").catch(() => {});
  await Promise.race([heard.promise, late]);
  await later(SETTLE_MS);
  void page.close().catch(() => {});
  const read = said.filter((text) => text.startsWith("REPORT "));
  return { name, attack, arrived: [...sink.arrived, ...udp.arrived], read, began: said.includes("READY") };
}

/** Firefox may lose a page that it makes while others close. */
async function newPage(browser: Browser): Promise<Page> {
  for (let tries = 0;; tries++) {
    try {
      return await browser.newPage();
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

const later = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

async function signIn(browser: Browser, scene: Scene): Promise<Page> {
  const port = await scene.desk.port();
  const page = await browser.newPage();
  for (const app of ["evil", "victim"]) {
    await page.goto(
      `http://${app}.localhost:${port}/_handler/open#${scene.desk.sessions.link(app, "owner")}`,
    );
    await page.waitForFunction("document.title === 'page'");
  }
  return page;
}

/** Another site cannot be opened in Handler's own windows at all. */
async function attacksFor(profile: Profile) {
  const ours = await attacksIn<PageAttack>("app_page");
  return profile === "window" ? [...ours] : [...ours, ...await attacksIn<PageAttack>("other_site")];
}

async function runAll(browser: Browser, scene: Scene, profile: Profile): Promise<readonly Outcome[]> {
  const attacks = await attacksFor(profile);
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let next = attacks.shift(); next; next = attacks.shift()) {
      outcomes.push(await attempt(browser, scene, ...next));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function attacks(t: Deno.TestContext, name: BrowserName, profile: Profile): Promise<void> {
  await using scene = await makeScene();
  const port = await scene.desk.port();
  const victim = await visit(scene.desk, "victim");
  await victim.ask({ method: "POST", path: "/api/notes", body: "private" });
  const folder = await Deno.makeTempDir({ prefix: "browser-" });
  const browser = await launch(name, profile, port, folder);
  try {
    const page = await signIn(browser, scene);
    const outcomes = await runAll(browser, scene, profile);
    const notes: string[] = JSON.parse((await victim.ask({ path: "/api/notes" })).text);
    for (const { name: file, attack, arrived, read, began } of outcomes) {
      await t.step(`${attack.from}, ${file}: ${attack.what}`, () => {
        assert.ok(began, "its page did not come up");
        const known = profile === "plain" && attack.plainLeak?.includes(name);
        const connects = profile === "plain" && attack.plainConnects?.includes(name);
        const harmless = connects ? [CONNECTION] : [];
        if (known) assert.ok(arrived.length > 0, "it is told to be possible, and was not");
        else assert.deepEqual(arrived.filter((what) => !harmless.includes(what)), []);
        assert.deepEqual(read, []);
        assert.deepEqual(notes.filter((note) => note.includes(markOf(file))), []);
      });
    }
    await t.step("the victim has what it had, and its person is signed in", async () => {
      assert.deepEqual(notes, ["private"]);
      await page.goto(`http://victim.localhost:${port}/`);
      assert.equal(await page.title(), "page");
    });
  } finally {
    await closeBrowser(browser);
    await Deno.remove(folder, { recursive: true });
  }
}

for (const browser of ["chromium", "firefox"] as const) {
  const missing = missingDriver("bubblewrap") ??
    (await browserProgram(browser) ? undefined : "it is not here");
  for (const profile of ["window", "plain"] as const) {
    Deno.test({
      name: `attacks in ${browser}, ${profile}${missing ? ` (${missing})` : ""}`,
      ignore: missing !== undefined && !CI,
      sanitizeOps: false, // the browser's driver keeps timers of its own
      sanitizeResources: false,
      fn: (t) => attacks(t, browser, profile),
    });
  }
}
