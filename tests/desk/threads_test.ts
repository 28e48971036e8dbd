/// <reference lib="dom" />
import assert from "node:assert/strict";
import { startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import { Desk, deskTest, type Visit } from "./desk.ts";
import { longThread, messageId } from "./long_thread.ts";
import { layThreadProject } from "./thread_project.ts";

const NEW = { project: "desk", person: null, title: null, arguments: {}, env: {} };
const said = (content: string) => ({ content, side: undefined, metadata: undefined, attachments: [] });

/** Says something in the thread that is shown, by keys alone. */
async function say(visit: Visit, text: string): Promise<void> {
  const field = await visit.see("form textarea");
  await field.type(text);
  await visit.page.keyboard.down("Control");
  await visit.page.keyboard.press("Enter");
  await visit.page.keyboard.up("Control");
}

/** Waits until so many messages with this text are in the stream. */
async function seeSaid(visit: Visit, text: string, count = 1): Promise<void> {
  await visit.page.waitForFunction(
    (text, count) =>
      [...document.querySelectorAll("[role=feed] article")].filter((one) => one.textContent?.includes(text))
        .length === count,
    { polling: 50 },
    text,
    count,
  ).catch(async (error) => {
    throw new Error(`${text} was not said ${count} times; the page says:\n${await visit.text()}`, {
      cause: error,
    });
  });
}

/** Scrolls the stream up, and waits until the window was drawn with that. */
async function scrollUp({ page }: Visit, pixels: number): Promise<void> {
  await page.evaluate(async (pixels) => {
    document.querySelector("[role=feed]")!.scrollBy(0, -pixels);
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  }, pixels);
}

/** The text of the message at the upper edge of the stream. */
function upper({ page }: Visit): Promise<string> {
  return page.evaluate(() => {
    const box = document.querySelector("[role=feed]")!, edge = box.getBoundingClientRect().top;
    const first = [...box.querySelectorAll("article")].find((one) =>
      one.getBoundingClientRect().bottom > edge
    );
    return first?.textContent ?? "";
  });
}

deskTest(
  "a thread is begun, spoken to, stopped, ended and removed",
  { lay: layThreadProject },
  async (visit, { home }) => {
    await visit.front();
    await visit.go("/threads/new?project=desk&agent=worker");
    await visit.fill("First message", "bake");
    await visit.fill("Title", "Bread");
    await visit.press("Start it");
    await seeSaid(visit, "did bake");
    await visit.read("This thread waits for you.");
    await visit.read("You speak as Side B");

    await say(visit, "whisper");
    await seeSaid(visit, "that was quiet");
    await visit.press("1 silent message");
    await visit.read("nobody hears this");

    await say(visit, "fail");
    await visit.read("The turn that took this message failed.");
    await visit.read("the shelf is empty");
    await say(visit, "mend");
    await visit.press("Send it again");
    await seeSaid(visit, "mended");
    await seeSaid(visit, "The turn that took this message failed.", 1);

    const picture = `${home.path}/a page.png`;
    await Deno.copyFile(new URL("../../docs/images/home.png", import.meta.url), picture);
    await visit.give("Attach files", picture);
    await say(visit, "look");
    await seeSaid(visit, "did look");
    await visit.see("[role=feed] img");
    await say(visit, "write");
    await visit.press("Show list.txt");
    await visit.read("flour and eggs");
    await visit.press("Files", "link");
    await visit.read("/notes/");

    await say(visit, "later");
    await visit.press("Kept", "link");
    await visit.press("Call off remind");
    await visit.press("Call it off");
    await visit.read("Nothing is to come.");

    await visit.press("Turns", "link");
    await say(visit, "wait");
    await visit.read('waiting {"until":"you stop me"}');
    await visit.press("Stop");
    await visit.read("The turn that took this message was stopped.");
    await visit.press("Go on");
    await say(visit, "rest");
    await seeSaid(visit, "did rest");

    await visit.press("End it");
    await visit.read("its children go on");
    await visit.press("End it");
    await visit.read("nobody can say anything in it any more");
    await visit.press("Remove");
    await visit.see('dialog a[href$="/export"]');
    await visit.read(/\d+ messages and no children are gone for good/);
    await visit.press("Remove");
    await visit.read("Bread is removed");
    assert.deepEqual(await home.client.threads({ limit: 9, offset: 0 }), []);
  },
);

deskTest("two windows stay in step, and a killed daemon's turn is told as interrupted", {
  lay: layThreadProject,
}, async (visit, { home }) => {
  home.env.HANDLER_PORT = new URL(visit.origin).port;
  const { id } = await home.client.threadNew({ ...NEW, agent: "worker" });
  await visit.go(`/threads/${id}`);
  const second = await visit.another();
  await second.go(`/threads/${id}`);
  await say(await second.front(), "one");
  await seeSaid(second, "did one");
  await seeSaid(await visit.front(), "did one");

  await say(visit, "wait");
  await visit.read("At work");
  await home.stop("SIGKILL");
  await visit.read("handlerd does not answer");
  await home.start();
  await visit.unread("handlerd does not answer");
  await visit.read("The turn that took this message was interrupted");
  await visit.read("interrupted");
  await say(visit, "two");
  await seeSaid(visit, "did two");
  await seeSaid(visit, "did one");
  await seeSaid(await second.front(), "did two");
  await seeSaid(second, "did one");
});

deskTest(
  "threads are a tree for keys, and what is asked for stands in the URL",
  { lay: layThreadProject },
  async (visit, { home }) => {
    const family = await home.client.threadNew({ ...NEW, agent: "family", title: "The Bakers" });
    const over = await home.client.threadNew({ ...NEW, agent: "worker", title: "Old bread" });
    await home.client.threadTerminate(over.id);
    await home.client.threadSend(family.id, said("hello"));
    await visit.front();
    await visit.go("/threads");
    const root = await visit.see("[role=treeitem]");
    await visit.read("did hello");
    await root.focus();
    await visit.page.keyboard.press("ArrowRight");
    await visit.see('[role=treeitem][aria-level="2"]');
    await visit.page.keyboard.press("ArrowRight");
    await visit.page.waitForFunction(() => document.activeElement?.getAttribute("aria-level") === "2");
    await visit.page.keyboard.press("ArrowLeft");
    await visit.page.keyboard.press("Enter");
    await visit.page.waitForFunction((id) => location.pathname === `/threads/${id}`, {}, family.id);
    await visit.press("About", "link");
    await visit.press("worker", "link");
    await visit.press("Parent", "link");
    await visit.page.waitForFunction((id) => location.pathname === `/threads/${id}`, {}, family.id);

    await visit.go("/threads?tab=ended");
    await visit.read("Old bread");
    await visit.unread("The Bakers");
    await visit.go("/threads");
    await visit.choose("Project", "desk");
    await visit.choose("State", "failed");
    await visit.read("No thread fits");
    assert.match(visit.page.url(), /project=desk&state=failed/);

    await Deno.writeTextFile(
      `${home.work}/agents/agents/wrong.ts`,
      `export default defineAgent({ name: "wrong", sideA: { handler: "none" }, sideB: { human: true } });\n`,
    );
    await visit.press("Definitions of desk");
    await visit.read("agents/agents/wrong.ts");
    await visit.read("1 problem");
    await visit.press("Types", "link");
    await visit.see("pre");
  },
);

deskTest(
  "a model's words are read while it says them",
  { lay: layThreadProject },
  async (visit, { home }) => {
    const chat = await startFakeOpenAiChat({ key: "", models: ["small"] });
    try {
      const settings = { endpoint: `http://127.0.0.1:${chat.port}/v1` };
      const binding = {
        name: "small-model",
        connector: "llm-openai",
        description: "Small",
        settings,
        secrets: {},
      };
      await home.client.bindingAdd(binding);
      await home.client.select("project", "desk", "llm", ["small-model"]);
      const { id } = await home.client.threadNew({ ...NEW, agent: "clerk" });
      chat.behave({ kind: "slow", text: "Flour is on the shelf, **eggs** are in the yard.", ms: 4000 });
      await visit.go(`/threads/${id}`);
      await say(visit, "Where are they?");
      await visit.read("clerk is answering");
      await visit.read("Flour is on the");
      assert.doesNotMatch(await visit.text(), /in the yard/);
      await seeSaid(visit, "in the yard");
      await visit.see("[role=feed] article strong");
      await visit.unread("clerk is answering");
      await visit.read("11 tokens in, 7 out");
    } finally {
      await chat.close();
    }
  },
);

Deno.test("a thread of 100,000 messages opens, scrolls up without a jump, and is entered anywhere", {
  sanitizeOps: false,
  sanitizeResources: false,
}, async () => {
  await using desk = await Desk.start({}, layThreadProject);
  const lines = [...longThread("long", "worker", "work", 100_000)].map((one) => `${one}\n`);
  await desk.home.client.threadImport(new Blob(lines), null);
  for (const browser of ["chromium", "firefox"] as const) {
    const visit = await (await desk.visit(browser)).front();
    await visit.go("/threads/long");
    await visit.read("Number 99999:");
    for (let times = 0; times < 60; times++) {
      const before = await upper(visit);
      await scrollUp(visit, 700);
      const [from, to] = [before, await upper(visit)].map((text) => Number(/Number (\d+):/.exec(text)?.[1]));
      // the smallest message is 60 pixels high: what is gone over is no more than was scrolled
      assert.ok(!from || !to || from - to <= 13, `from ${from} to ${to}`);
    }
    assert.ok(Number(/Number (\d+):/.exec(await upper(visit))?.[1]) < 99_800, "it did not get far");
    const articles = await visit.page.evaluate(() => document.querySelectorAll("[role=feed] article").length);
    assert.ok(articles < 80, `${articles} rows are in the page`);
    await visit.go(`/threads/long?message=${messageId(31_000)}`);
    await visit.see(".chosen");
    await seeSaid(visit, "Number 31000:");
    await visit.read("work Side A");
    await visit.press("Go to the newest");
    await seeSaid(visit, "Number 99999:");
    assert.deepEqual(visit.complaints, []);
  }
});
