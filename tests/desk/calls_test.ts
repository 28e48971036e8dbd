/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { CallView } from "../../src/client/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { type FakeOpenAiChat, startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import type { SystemHome } from "../system/home.ts";
import { BROWSERS, Desk, type Visit } from "./desk.ts";

/** How many calls an agent outside makes before anybody looks; every fiftieth is refused. */
const MANY = 3_000;

async function lay(home: SystemHome, { port }: FakeOpenAiChat): Promise<void> {
  const priced = 'connector = "ocr-tesseract"\ndescription = "Tesseract"\nprices = { pages = 0.5 }\n';
  await home.write("bindings/here.toml", priced);
  const model = `connector = "llm-openai"\ndescription = "Small model"\n`;
  await home.write(
    "bindings/model.toml",
    `${model}settings = { endpoint = "http://127.0.0.1:${port}/v1", model = "small" }\n`,
  );
}

/** Makes calls through the sockets of an agent outside, a few dozen at once. */
async function callOften(home: SystemHome, count: number): Promise<void> {
  using wire = await home.wire("desk");
  for (let done = 0; done < count; done += 50) {
    const acts = Array.from(
      { length: Math.min(50, count - done) },
      (_, at) => (at === 7 ? { act: "refuse" } : { act: "say", text: "x" }),
    );
    await Promise.all(acts.map((act) => wire.call("probe_act", act)));
  }
}

/** Reads a real document with a real engine. */
async function readInvoice({ client }: SystemHome): Promise<CallView> {
  const trial = await client.trialNew();
  const bytes = await Deno.readFile(`${ROOT}/interfaces/ocr/v1/conformance/invoice.pdf`);
  await client.trialPut(trial.id, "invoice.pdf", new Blob([bytes]));
  const input = { path: "invoice.pdf" };
  await client.trialCall(
    trial.id,
    { tool: "ocr_extract", binding: "here", input },
    AbortSignal.timeout(60_000),
  );
  return (await client.calls({ limit: 1 }))[0]!;
}

/** A person before the page, and what stands behind it. */
interface Scene {
  readonly visit: Visit;
  readonly page: Visit["page"];
  readonly home: SystemHome;
}

const LIST = '[role=list][aria-label="Calls"]';

/** Waits until the rows are these: how many a screen reader is told, -1 where that is not known yet. */
async function rowsAre({ page }: Scene, count: number): Promise<void> {
  await page.waitForFunction(
    (list, count) =>
      document.querySelector(`${list} [role=listitem]`)?.getAttribute("aria-setsize") === String(count),
    { polling: 50 },
    LIST,
    count,
  );
}

/** What the person does, one after the other. */
const STEPS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async "thousands of calls are scrolled through, with a few of them in the page at a time"(scene) {
    const { visit, page } = scene;
    await visit.go("/calls");
    await rowsAre(scene, -1);
    await page.waitForFunction(
      (list, count) => {
        const box = document.querySelector(list)!;
        box.scrollTop = box.scrollHeight;
        const rows = [...box.querySelectorAll("[role=listitem]")];
        return rows.length < 60 && rows.at(-1)?.getAttribute("aria-posinset") === String(count);
      },
      { polling: 50 },
      LIST,
      MANY + 1,
    );
    await rowsAre(scene, MANY + 1);
    await visit.read(`${(MANY + 1).toLocaleString("en")} calls`);
  },
  async "keys go through all of them, and open one"(scene) {
    const { page, visit } = scene;
    const at = () =>
      page.evaluate(() =>
        Number(document.activeElement?.closest("[data-index]")?.getAttribute("data-index") ?? -1)
      );
    const press = async (key: Parameters<typeof page.keyboard.press>[0], wanted: number) => {
      await page.keyboard.press(key);
      await page.waitForFunction(
        (wanted) =>
          document.activeElement?.closest("[data-index]")?.getAttribute("data-index") === String(wanted),
        { polling: 50 },
        wanted,
      );
    };
    await page.focus(LIST);
    await press("Home", 0);
    await press("ArrowDown", 1);
    await press("End", MANY);
    await press("ArrowUp", MANY - 1);
    assert.equal(await at(), MANY - 1);
    await press("End", MANY);
    await page.keyboard.press("Enter");
    await visit.read("Where the time went");
    await visit.read("ocr_extract");
  },
  async "a record says who, what, how long, where to and what it cost"({ visit, home }) {
    const [call] = await home.client.calls({ interfaceId: "ocr/v1", limit: 1 });
    await visit.go(`/calls/${call!.id}`);
    const said = await visit.text();
    for (
      const words of ["You, on this page", "Tesseract", "pages: 1", "none: it stayed on this machine", "0.50"]
    ) {
      assert.ok(said.includes(words), `${words} is not in ${said}`);
    }
    await visit.press("Hashes and ids");
    await visit.read(String(call!.connectorHash));
  },
  async "filters stand in the URL, and the files have what is filtered"(scene) {
    const { visit, page } = scene;
    await visit.go("/calls");
    await visit.choose("Who", "You, on this page");
    await rowsAre(scene, 1);
    assert.equal(await page.evaluate(() => new URLSearchParams(location.search).get("caller")), "desk");
    await visit.choose("Who", "All");
    await visit.press("Only failed");
    await rowsAre(scene, MANY / 50);
    await page.reload();
    await rowsAre(scene, MANY / 50);
    const files = await page.$$eval("a[download]", (all) => all.map(({ href }) => href));
    const [csv, jsonl] = await page.evaluate(
      async (urls) => await Promise.all(urls.map(async (url) => await (await fetch(url)).text())),
      files,
    );
    assert.equal(csv!.trim().split("\n").length, MANY / 50 + 1);
    const lines = jsonl!.trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(lines.length, MANY / 50);
    assert.ok(lines.every(({ error }) => error !== null));

    await visit.choose("When", "Between");
    await visit.see("input[type=datetime-local]");
    await rowsAre(scene, MANY / 50);
    await page.evaluate(() => {
      const url = new URL(location.href);
      url.searchParams.set("until", "2001-01-01T00:00");
      url.searchParams.set("since", "2000-01-01T00:00");
      history.replaceState(null, "", url);
    });
    await page.reload();
    await visit.read("No call fits these filters");
    await visit.press("Show all");
    await rowsAre(scene, -1);
  },
  async "a call that is made now is there at once, and moves nobody who reads further down"(scene) {
    const { visit, page, home } = scene;
    await visit.go("/calls");
    await rowsAre(scene, -1);
    await page.$eval(LIST, (box) => box.scrollTop = 56 * 100);
    const looked = await page.waitForFunction(
      (list) => {
        const top = document.querySelector(list)!.getBoundingClientRect().top;
        const row = [...document.querySelectorAll(`${list} [role=listitem]`)]
          .find((one) => Math.abs(one.getBoundingClientRect().top - top) < 30);
        const place = row?.getAttribute("aria-posinset");
        return place === "101" && row?.querySelector("a")?.getAttribute("href");
      },
      { polling: 50 },
      LIST,
    );
    const href = await looked.jsonValue();
    await callOften(home, 5);
    await page.waitForFunction(
      (list, href) => {
        const top = document.querySelector(list)!.getBoundingClientRect().top;
        const row = document.querySelector(`${list} a[href="${href}"]`)?.closest("[role=listitem]");
        return row?.getAttribute("aria-posinset") === "106" &&
          Math.abs(row.getBoundingClientRect().top - top) < 30;
      },
      { polling: 50 },
      LIST,
      href,
    );
  },
  async "charts have lines that differ without colour, and a table that says the same"(scene) {
    const { visit, page, home } = scene;
    await visit.press("Charts");
    await page.waitForFunction(() => document.querySelectorAll("figure canvas").length === 4);
    await visit.read("Cost in all: €0.50");
    await visit.read("Nothing left this machine.");
    const dashes = await page.$eval(
      "figure",
      (one) => [...one.querySelectorAll("li line")].map((line) => line.getAttribute("stroke-dasharray")),
    );
    assert.equal(dashes.length, 2);
    assert.notEqual(dashes[0], dashes[1]);
    await page.$eval("figure details", (one) => one.open = true);
    const stats = await home.client.callStats({ from: Date.now() - 86_400_000, to: Date.now(), points: 48 });
    const heads = await page.$$eval("figure table thead th", (all) => all.map((one) => one.textContent));
    assert.deepEqual(heads.slice(0, stats.bindings.length + 1).sort(), ["Tesseract", "Time", "probe"].sort());
    const drawn = () =>
      page.$eval("figure canvas", (one) => {
        const canvas = one as HTMLCanvasElement;
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value, at) => at % 4 === 3 && value > 0);
      });
    assert.ok(await drawn());
    await page.setViewport({ width: 420, height: 800 });
    await page.waitForFunction(() => {
      const canvas = document.querySelector("figure canvas")!;
      return canvas.getBoundingClientRect().width < 420;
    });
    assert.ok(await drawn());
    await page.setViewport({ width: 1440, height: 900 });
    await visit.choose("Provider", "Tesseract");
    await page.waitForFunction(() =>
      document.querySelector("figure")?.querySelectorAll("li line").length === 1
    );
  },
  async "what is sent is counted by host, and shown as it is sent"({ visit, page, home }) {
    const { client } = home;
    const trial = await client.trialNew();
    const input = { messages: [{ role: "user", content: "Say hello" }] };
    const call = { tool: "llm_complete", binding: "model", input };
    const { error } = await client.trialCall(trial.id, call, AbortSignal.timeout(60_000));
    assert.equal(error, null);
    await visit.choose("Provider", "All");
    await visit.read("127.0.0.1");
    const row = await page.waitForFunction(() => {
      const found = [...document.querySelectorAll("tr")].find((one) =>
        one.textContent?.includes("127.0.0.1:")
      );
      return found && Array.from(found.cells, (one) => one.innerText);
    }, { polling: 50 });
    const [, connections, sent, received, by] = await row.jsonValue() as string[];
    assert.ok(Number(connections) >= 1);
    assert.match(`${sent} ${received}`, /^[1-9][\d.]* (bytes|kB) [1-9][\d.]* (bytes|kB)$/);
    assert.equal(by, "Small model");
  },
};

for (const browser of BROWSERS) {
  Deno.test(
    `a person looks through calls (${browser})`,
    { sanitizeOps: false, sanitizeResources: false },
    async (t) => {
      const chat = await startFakeOpenAiChat({ key: "", models: ["small"] });
      chat.behave({ kind: "reply", text: "Hello.", finish: "stop" });
      await using stack = new AsyncDisposableStack();
      stack.defer(() => chat.close());
      const desk = stack.use(await Desk.start({}, (home) => lay(home, chat)));
      const { home } = desk;
      await home.trust("probe/v1", "probe");
      await readInvoice(home);
      await callOften(home, MANY);
      const visit = await desk.visit(browser);
      const scene = { visit, page: visit.page, home };
      for (const [name, step] of Object.entries(STEPS)) {
        if (!await t.step(name, () => step(scene))) break;
      }
      assert.deepEqual(visit.complaints, []);
    },
  );
}
