/// <reference lib="dom" />
import assert from "node:assert/strict";
import axe from "axe-core";
import { utf8 } from "../../src/base/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { answersFor, type FakeMistral, startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { type FakeOpenAiChat, startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import { BROWSERS, Desk, type Visit } from "./desk.ts";

const FIXTURES = `${ROOT}/interfaces/ocr/v1/conformance`;
/** What the vendor makes of a document: an amount is wrong. */
const MISREAD = "# Northgate Print & Copy\n\nInvoice number: INV-2024-0042\n\nTotal due GBP 15.60";
const KEY = "personal-key-4711";

/** A vendor of OCR and a server of a model, both made for the test, and a desk that reaches them. */
async function begin() {
  const misread = answersFor([[await Deno.readFile(`${FIXTURES}/invoice.pdf`), [MISREAD]]]);
  const answers = new Map([...await fixtureAnswers(FIXTURES), ...misread]);
  const vendor = await startFakeMistral({ key: KEY, answers });
  const chat = await startFakeOpenAiChat({ key: "", models: ["small"] });
  const caFile = await Deno.makeTempFile({ suffix: ".pem" });
  await Deno.writeTextFile(caFile, vendor.caPem);
  const dial = `dial = { "api.mistral.ai:443" = "127.0.0.1:${vendor.port}" }`;
  const desk = await Desk.start({ config: `[egress]\ncaFile = "${caFile}"\n${dial}\n` }, async (home) => {
    await Deno.mkdir(`${home.path}/letters`);
    await home.write("projects/letters.toml", `path = "${home.path}/letters"\nprivacy = "local"\n`);
    await home.write("agents/clerk.toml", agent("desk"));
    await home.write("agents/scribe.toml", agent("letters"));
    await home.write(
      "bindings/model.toml",
      `connector = "llm-openai"\ndescription = "Small model"\nsettings = { endpoint = "http://127.0.0.1:${chat.port}/v1" }\n`,
    );
    await home.write("bindings/ocr-here.toml", 'connector = "ocr-tesseract"\ndescription = "Tesseract"\n');
  });
  const end = async () => {
    await desk[Symbol.asyncDispose]();
    await Promise.all([vendor.close(), chat.close()]);
    await Deno.remove(caFile);
  };
  return { desk, vendor, chat, [Symbol.asyncDispose]: end };
}

function agent(project: string): string {
  return `project = "${project}"\nharness = "external"\nservices = { ocr = "ocr-here" }\n`;
}

/** Chooses in the list with exactly this label what the list calls by these words. */
async function pick(visit: Visit, label: string, option: string): Promise<void> {
  await visit.see(`select[aria-label="${label}"]`);
  await visit.choose(label, option);
}

async function violations(visit: Visit): Promise<readonly string[]> {
  await visit.page.evaluate(axe.source);
  return await visit.page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document);
    return violations.map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`
    );
  });
}

/** A person before the page, and what stands behind it. */
interface Scene {
  readonly visit: Visit;
  readonly page: Visit["page"];
  readonly client: Desk["home"]["client"];
  readonly vendor: FakeMistral;
  readonly chat: FakeOpenAiChat;
}

/** What the person does, one after the other. */
const STEPS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async "a provider is set up with a key that is typed once"({ visit, page, client }) {
    await visit.go("/services");
    await visit.press("Text from documents");
    await visit.press("Set up a provider");
    await page.waitForFunction(() => location.pathname === "/services/ocr/v1/new");
    await (await visit.see("input[value=ocr-mistral]")).click();
    await visit.read("Sends data to api.mistral.ai");
    await visit.press("Set it up", "button");
    await visit.read("This is needed");
    await visit.fill("What you call it", "Mistral, personal key");
    await visit.fill("The secret itself", KEY);
    await visit.press("Name and prices");
    await visit.press("Add a price");
    await visit.fill("Price of unit 1", "0,001");
    await visit.press("Set it up", "button");
    await visit.read("Mistral, personal key is set up");
    const [made] = (await client.bindings()).filter(({ connector }) => connector === "ocr-mistral");
    assert.equal(made?.name, "mistral-personal-key");
    assert.deepEqual(made.secrets, { api_key: "store:mistral-personal-key" });
    assert.deepEqual(made.prices, { pages: 0.001 });
    assert.ok(!(await page.content()).includes(KEY), "the key is in the page");
  },
  async "its check shows each case, and goes on while the page is loaded anew"({ visit, page }) {
    await visit.press("Check it", "button");
    await visit.see("progress");
    await page.reload();
    await visit.read("All 14 cases passed");
    await visit.read("scanned invoice, JPEG");
    await visit.go("/services");
    await visit.read("Proven");
  },
  async "an agent gets it by one dropdown, and that is taken back by one click"({ visit, page, client }) {
    await visit.go("/services/ocr/v1?tab=providers");
    const label = "Provider of Text from documents for clerk";
    await pick(visit, label, "Mistral, personal key");
    await visit.read("clerk now uses for Text from documents: Mistral, personal key");
    const chosen = async () => (await client.agents()).find(({ name }) => name === "clerk")?.services.ocr;
    assert.deepEqual(await chosen(), ["mistral-personal-key"]);
    await visit.press("Add a fallback");
    await visit.read("if it is unavailable");
    await visit.press("Try Tesseract earlier");
    await page.waitForFunction(
      (label) =>
        document.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`)?.value === "ocr-here",
      {},
      label,
    );
    assert.deepEqual(await chosen(), ["ocr-here", "mistral-personal-key"]);
    await visit.press("Undo");
    await visit.read("clerk now uses for Text from documents: Mistral, personal key and Tesseract");
    assert.deepEqual(await chosen(), ["mistral-personal-key", "ocr-here"]);
    await visit.read(
      "The project keeps its data on this machine, so Mistral, personal key cannot be chosen",
    );
  },
  async "a document is read, and its lines stand over its page"({ visit, page }) {
    await visit.go("/services/ocr/v1?tab=try&binding=ocr-here");
    await visit.press("Call it");
    await visit.read("Choose a file");
    await visit.give("File", `${FIXTURES}/invoice-scan.pdf`);
    await visit.read("invoice-scan.pdf");
    await visit.press("Call it");
    await visit.read("1 page was read");
    await visit.read("Total due GBP 1,084.85");
    await visit.read("nobody: it stayed on this machine");
    await page.waitForFunction(() => {
      const canvas = document.querySelector("canvas");
      if (!canvas || canvas.width < 600) return false;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, at) => at % 4 === 0 && value < 80);
    });
    await page.focus("[role=listbox]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const said = await page.$eval(
      "[role=option][aria-selected=true]",
      (one) => one.getAttribute("aria-label"),
    );
    assert.equal(said, "14 Harbour Lane, Bristol BS1 4QA, United Kingdom");
    assert.deepEqual(await violations(visit), []);
  },
  async "the lines of a picture lie where its words are"({ visit, page, client }) {
    await visit.give("File", `${FIXTURES}/receipt.png`);
    await visit.read("receipt.png");
    await visit.press("Call it");
    await visit.read("Corner Bakery, 3 Mill Road");
    await visit.see("[role=option][aria-label=RECEIPT]");
    const share = await page.$eval("[role=option][aria-label=RECEIPT]", (one) => {
      const [box, whole] = [one, one.parentElement!].map((each) => each.getBoundingClientRect());
      return [(box!.left - whole!.left) / whole!.width, (box!.top - whole!.top) / whole!.height];
    });
    const [reading] = (await client.trialNew().then(async ({ id }) => {
      await client.trialPut(
        id,
        "receipt.png",
        new Blob([await Deno.readFile(`${FIXTURES}/receipt.png`)]),
      );
      const call = { tool: "ocr_extract", binding: "ocr-here", input: { path: "receipt.png" } };
      const { result } = await client.trialCall(id, call, AbortSignal.timeout(60_000));
      return result as { pages: { blocks: { bbox: number[] }[] }[] };
    })).pages;
    const size = await page.$eval(
      "figure img",
      (one) => [(one as HTMLImageElement).naturalWidth, (one as HTMLImageElement).naturalHeight],
    );
    for (const side of [0, 1]) {
      const wanted = reading!.blocks[0]!.bbox[side]! / size[side]!;
      assert.ok(Math.abs(share[side]! - wanted) < 0.01, `${share} is not ${wanted}`);
    }
  },
  async "what cannot be read says so, with what to do"({ visit }) {
    await visit.give("File", `${FIXTURES}/archive.zip`);
    await visit.read("archive.zip");
    await visit.press("Call it");
    await visit.read("unsupported_format");
    await visit.read("Trying again will not help: give another file.");
  },
  async "a call that takes too long is stopped"({ visit, vendor }) {
    vendor.behave({ kind: "slow", ms: 60_000 });
    await visit.choose("By whom", "Mistral");
    await visit.give("File", `${FIXTURES}/invoice.pdf`);
    await visit.read("invoice.pdf");
    await visit.press("Call it");
    await visit.read("“Mistral, personal key” is at work…");
    await visit.press("Stop");
    await visit.read("You stopped the call.");
    vendor.behave({ kind: "normal" });
  },
  async "two providers are compared on the same document"({ visit, page }) {
    await visit.go("/services/ocr/v1?tab=compare");
    await visit.give("File", `${FIXTURES}/invoice.pdf`);
    await visit.read("invoice.pdf");
    await visit.choose("One provider", "Tesseract");
    await visit.choose("With another", "Mistral");
    await visit.press("Compare", "button");
    await visit.read(/of the text is the same; what differs is marked/);
    await visit.read("api.mistral.ai");
    const marked = await page.$$eval("mark", (all) => all.map((one) => one.textContent));
    assert.ok(marked.includes("75.60") && marked.includes("15.60"), marked.join(" | "));
  },
  async "a model is asked through a form made of its schema"({ visit, chat }) {
    chat.behave({ kind: "reply", text: "Bonjour.", finish: "stop" });
    await visit.go("/services/llm/v1?tab=try");
    await visit.fill("Content", "Say hello in French");
    await visit.press("More");
    await visit.fill("Max tokens", "20");
    await visit.press("Call it");
    await visit.read("Bonjour.");
    assert.equal(chat.asked.at(-1)?.max_tokens ?? chat.asked.at(-1)?.max_completion_tokens, 20);
  },
  async "a person's own service counts once what models read was seen"({ visit }) {
    await visit.go("/services/probe/v1");
    await visit.read("Do you trust probe/v1?");
    await visit.press("Trust it as it is");
    await visit.read("probe/v1 is trusted as it is now");
    await visit.unread("Do you trust probe/v1?");
  },
  async "a provider that nobody uses is removed, and put back"({ visit, page, client }) {
    await visit.go("/bindings/model");
    await visit.press("Remove", "button");
    await visit.read("Nobody uses it.");
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("dialog[open] button")].at(-1)!.click()
    );
    await visit.read("Small model was removed");
    assert.ok(!(await client.bindings()).some(({ name }) => name === "model"));
    await visit.read("Nobody provides this yet");
    await visit.press("Undo");
    await visit.see('a[href="/bindings/model"]');
    assert.ok((await client.bindings()).some(({ name }) => name === "model"));
  },
};

for (const browser of BROWSERS) {
  Deno.test(
    `a person sets up, checks, tries, compares and swaps providers (${browser})`,
    { sanitizeOps: false, sanitizeResources: false },
    async (t) => {
      await using all = await begin();
      const { desk, vendor, chat } = all;
      const visit = await desk.visit(browser);
      const scene = { visit, page: visit.page, client: desk.home.client, vendor, chat };
      for (const [name, step] of Object.entries(STEPS)) await t.step(name, () => step(scene));
      assert.deepEqual(visit.complaints, []);
    },
  );

  Deno.test(
    `secrets are kept, replaced and removed, and never shown (${browser})`,
    { sanitizeOps: false, sanitizeResources: false },
    async () => {
      await using desk = await Desk.start();
      const { client } = desk.home;
      await client.secretSet("work", utf8("first"));
      await client.bindingAdd({
        ...{ name: "mistral", connector: "ocr-mistral", description: "Mistral, work", settings: {} },
        secrets: { api_key: "store:work" },
      });
      const visit = await desk.visit(browser);
      await visit.go("/secrets");
      await visit.read("Mistral, work");
      await visit.press("Keep a secret");
      await visit.fill("Name", "spare");
      await visit.fill("The secret", "never-to-be-seen");
      await visit.press("Save");
      await visit.read("The secret spare is kept");
      await visit.press("Replace work");
      await visit.fill("The secret", "second");
      await visit.press("Save");
      await visit.read("The secret work has a new value");
      await visit.press("Remove work");
      await visit.read("Mistral, work uses it and will not start any more");
      await visit.fill("Type work to go on", "work");
      await visit.press("Remove");
      await visit.read("The secret work was removed");
      assert.deepEqual((await client.secrets()).map(({ name }) => name), ["spare"]);
      assert.ok(!(await visit.page.content()).includes("never-to-be-seen"));
      assert.deepEqual(visit.complaints, []);
    },
  );
}
