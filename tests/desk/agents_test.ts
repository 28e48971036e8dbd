/// <reference lib="dom" />
import assert from "node:assert/strict";
import { ROOT } from "../../tools/repository.ts";
import { shellAgent, type SystemHome } from "../system/home.ts";
import { BROWSERS, Desk, type Visit } from "./desk.ts";

/** An agent that reads documents, speaks in colours, and asks for a word. */
const READER = `printf '\\033[1;32mbegun\\033[0m with %s\\n' "$HANDLER_PROMPT"
[ -n "$HANDLER_PROMPT" ] && exit 4
handler-call ocr_extract --path invoice.pdf
handler-call ocr_extract --path broken.pdf
read word; echo "heard $word"; exit 3`;

/** One that says 60,000 lines at once, and then one more for each word it hears. */
const CHATTY = `seq -f 'line %.0f of many' 1 60000; while read word; do echo "heard $word"; done`;

async function lay(home: SystemHome): Promise<void> {
  await Deno.copyFile(`${ROOT}/interfaces/ocr/v1/conformance/invoice.pdf`, `${home.work}/invoice.pdf`);
  await Deno.writeTextFile(`${home.work}/broken.pdf`, "nothing that can be read");
  await Deno.mkdir(`${home.path}/office`);
  await home.write("bindings/here.toml", 'connector = "ocr-tesseract"\ndescription = "Tesseract"\n');
  await home.write(
    "agents/reader.toml",
    `# a person wrote this\n${shellAgent(READER, 'services = { ocr = "here" }')}`,
  );
  await home.write("agents/chatty.toml", shellAgent(CHATTY, ""));
}

/** A person before the page, and what stands behind it. */
interface Scene {
  readonly visit: Visit;
  readonly page: Visit["page"];
  readonly home: SystemHome;
}

/** The words of what is found, each as the page shows it. */
async function wordsOf({ page }: Scene, selector: string): Promise<readonly string[]> {
  return await page.$$eval(selector, (all) => all.map((one) => (one as HTMLElement).innerText.trim()));
}

async function pathIs({ page }: Scene, pattern: RegExp): Promise<void> {
  await page.waitForFunction((source) => new RegExp(source).test(location.pathname), {}, pattern.source);
}

/** What the person does, one after the other. */
const STEPS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async "a project is a folder and what its agents need"(scene) {
    const { visit, home } = scene;
    await visit.go("/agents");
    await visit.press("New project");
    await visit.fill("Name", "Office!");
    await visit.fill("Folder", `${home.path}/office`);
    await visit.press("Text from documents");
    await visit.press("Save");
    await visit.read('found "Office!"');
    await visit.fill("Name", "office");
    await visit.press("Save");
    await pathIs(scene, /^\/projects\/office$/);
    const made = (await home.client.projects()).find(({ name }) => name === "office");
    assert.deepEqual([made?.path, made?.requires], [`${home.path}/office`, ["ocr/v1"]]);
  },
  async "an agent is written, with what is wrong said at its field"(scene) {
    const { visit, page, home } = scene;
    await visit.press("New agent");
    await visit.fill("Name", "writer");
    await visit.fill("Command", '/bin/sh\n-c\n"echo one\\necho two"');
    await visit.fill("Hosts it may reach", "not a host");
    await visit.press("Save");
    await page.waitForFunction(() => {
      const field = [...document.querySelectorAll("textarea")].find((one) =>
        one.labels?.[0]?.textContent?.startsWith("Hosts")
      );
      return field?.getAttribute("aria-invalid") === "true";
    });
    await visit.fill("Hosts it may reach", "");
    await visit.press("Save");
    await pathIs(scene, /^\/agents\/writer$/);
    const made = (await home.client.agents()).find(({ name }) => name === "writer");
    assert.deepEqual(made?.command, ["/bin/sh", "-c", "echo one\necho two"]);
    assert.equal(made.project, "office");
  },
  async "what keeps it from starting is mended by one act"({ visit, home }) {
    await visit.read("Cannot start");
    await visit.press("Choose a provider");
    await visit.see('select[aria-label="Provider of Text from documents for writer"]');
    await visit.choose("Provider of Text from documents for writer", "Tesseract");
    await visit.unread("Cannot start");
    assert.deepEqual((await home.client.agents()).find(({ name }) => name === "writer")?.services, {
      ocr: ["here"],
    });
  },
  async "it shows exactly what the agent sees"(scene) {
    const { visit, page, home } = scene;
    await visit.press("What it sees");
    await visit.read("ocr_extract");
    const said = await visit.text();
    assert.match(said, /Network\s+none/);
    assert.match(said, new RegExp(`Folder\\s+${home.path}/office`));
    const sight = await home.client.agentSight("writer");
    assert.deepEqual((await wordsOf(scene, "dd"))[2]?.split(", "), [...sight.env]);
    await visit.press("What a model reads about it");
    await page.waitForFunction(
      (skill) =>
        [...document.querySelectorAll("details[open] pre")].some((one) => one.textContent?.trim() === skill),
      {},
      sight.interfaces[0]!.skill.trim(),
    );
  },
  async "a run shows its log in colours, takes a word, and ends with its code"(scene) {
    const { visit, page } = scene;
    await visit.go("/agents/reader");
    await visit.press("Run it");
    await visit.read("begun with");
    assert.equal(await page.$eval(".line .c2", (one) => one.textContent), "begun");
    await visit.read("Total due GBP 75.60");
    await visit.read(/unsupported_format: /);
    await visit.read("running");
    await visit.fill("Say something to it", "thanks");
    await visit.press("Send");
    await visit.read("heard thanks");
    await visit.read("exit code 3");
    await visit.unread("Say something to it");
  },
  async "its calls stand over their time, and open by keys"(scene) {
    const { visit, page } = scene;
    await page.waitForFunction(() => document.querySelectorAll("ol a[href^='/calls/']").length === 2);
    const [first, second] = await page.$$eval("ol .track > .bar", (all) =>
      all.map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return { left, right };
      }));
    assert.ok(first!.right <= second!.left + 4, "the second call began after the first");
    await page.focus("ol li:last-child a");
    await page.keyboard.press("Enter");
    await pathIs(scene, /^\/calls\//);
    await visit.read("Why it failed");
    await page.goBack();
    await visit.read("Session of reader");
  },
  async "a prompt goes to the program, which is asked nothing then"({ visit }) {
    await visit.go("/agents/reader");
    await visit.fill("What to do", "the invoice");
    await visit.press("Run it");
    await visit.read("begun with the invoice");
    await visit.read("exit code 4");
    await visit.press("reader");
    await visit.read("exit code 3");
    await visit.read("exit code 4");
  },
  async "a long log stays light, follows its end until one looks elsewhere, and is searched"(scene) {
    const { visit, page } = scene;
    await visit.go("/agents/chatty");
    await visit.press("Run it");
    await visit.read("line 60000 of many");
    await visit.read("60,000 lines");
    await visit.read("The first 10,000 lines are no longer shown here");
    assert.ok(await page.$$eval(".line", ({ length }) => length) < 100, "only what is seen is in the page");
    const atEnd = () =>
      page.$eval("[role=log]", (one) => one.scrollHeight - one.scrollTop - one.clientHeight < 40);
    assert.ok(await atEnd());

    await page.$eval("[role=log]", (one) => one.scrollTop = 1000);
    await visit.read("Follow the end");
    await visit.fill("Say something to it", "more");
    await visit.press("Send");
    await visit.read("60,001 lines");
    assert.ok(!await atEnd(), "who looks elsewhere is left there");
    await visit.fill("Search the log", "LINE 31234 OF");
    await page.keyboard.press("Enter");
    await visit.read("line 31234 of many");
    await visit.fill("Search the log", "nowhere");
    await page.keyboard.press("Enter");
    await visit.read("Not in the log");
    await visit.press("Follow the end");
    await visit.read("heard more");

    const [whole, status] = await page.evaluate(async () => {
      const { href } = document.querySelector<HTMLAnchorElement>("a[download]")!;
      const answer = await fetch(href);
      return [await answer.text(), answer.status] as const;
    });
    assert.deepEqual([status, whole.split("\n").length], [200, 60_002]);
  },
  async "a session is stopped"({ visit, home }) {
    await visit.press("Stop it");
    await visit.unread("Say something to it");
    assert.deepEqual(await home.client.sessions(false), []);
  },
  async "an edit keeps what a person wrote beside it"({ visit, home }) {
    await visit.go("/agents/reader?tab=edit");
    await visit.fill("Variables", "LANG=de_DE.UTF-8");
    await visit.press("Save");
    await visit.read("reader is saved");
    const text = await Deno.readTextFile(`${home.path}/config/agents/reader.toml`);
    assert.match(text, /# a person wrote this/);
    assert.match(text, /LANG/);
    const made = (await home.client.agents()).find(({ name }) => name === "reader");
    assert.deepEqual(
      made?.command,
      ["/bin/sh", "-c", READER, "agent"],
      "a command of many lines is as it was",
    );
    assert.deepEqual(made.services, { ocr: ["here"] });
  },
  async "what is removed is put back, comments and all"(scene) {
    const { visit, home } = scene;
    const file = `${home.path}/config/agents/reader.toml`, before = await Deno.readTextFile(file);
    await visit.go("/agents/reader");
    await visit.press("Remove", "button");
    await pathIs(scene, /^\/agents$/);
    await visit.read("reader is removed");
    await assert.rejects(Deno.stat(file));
    await visit.press("Undo");
    await visit.see('a[href="/agents/reader"]');
    assert.equal(await Deno.readTextFile(file), before);
  },
};

for (const browser of BROWSERS) {
  Deno.test(
    `a person makes, mends, runs and removes agents (${browser})`,
    { sanitizeOps: false, sanitizeResources: false },
    async (t) => {
      await using desk = await Desk.start({}, lay);
      const visit = await desk.visit(browser);
      const scene = { visit, page: visit.page, home: desk.home };
      for (const [name, step] of Object.entries(STEPS)) {
        if (!await t.step(name, () => step(scene))) break;
      }
      assert.deepEqual(visit.complaints, []);
    },
  );
}
