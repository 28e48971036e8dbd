import assert from "node:assert/strict";
import type { Component } from "svelte";
import { createServer, type ViteDevServer } from "vite";
import type { Note, Notes } from "./notes.svelte.ts";

const UI = new URL("..", import.meta.url).pathname;
const NOTE: Note = { id: 1, text: "<b>milk</b>", pinned: false, changedAt: "2026-03-10T12:00:00.000Z" };

/** The page's components, made into text: no browser is needed to see what they say. */
async function withPage(use: (page: Page) => Promise<void> | void): Promise<void> {
  const server = await createServer({
    root: UI,
    logLevel: "error",
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    await use(await pageOf(server));
  } finally {
    await server.close();
  }
}

interface Page {
  readonly notes: Notes;
  html(): string;
}

async function pageOf(server: ViteDevServer): Promise<Page> {
  const { render } = await server.ssrLoadModule("svelte/server");
  const { default: App } = await server.ssrLoadModule("/src/App.svelte") as { default: Component };
  const module = await server.ssrLoadModule("/src/notes.svelte.ts");
  const notes: Notes = new module.Notes();
  const html = () => render(App, { props: { title: "Notes", notes } }).body.replaceAll(/<!--.*?-->/g, "");
  return { notes, html };
}

Deno.test("the page says what it has, what it waits for, and what went wrong", () =>
  withPage(({ notes, html }) => {
    assert.match(html(), /aria-busy="true"/);
    assert.doesNotMatch(html(), /No notes yet/);

    notes.all = [];
    assert.match(html(), /No notes yet/);

    notes.waiting = ["bread"];
    assert.match(html(), /bread.*Waits for your computer/s);

    notes.all = [NOTE, { ...NOTE, id: 2, text: "tea", pinned: true }];
    assert.match(html(), /&lt;b>milk&lt;\/b>/);
    assert.match(html(), /aria-pressed="true" aria-label="Unpin note"/);

    notes.wanted = "MIL";
    assert.doesNotMatch(html(), /tea/);
    notes.wanted = "coffee";
    assert.match(html(), /No note has “coffee”/);

    notes.problem = "Handler does not answer.";
    assert.match(html(), /role="alert".*Handler does not answer\..*Try again/s);
  }));

Deno.test("the list follows what the backend answers", () =>
  withPage(async ({ notes }) => {
    const { fetch } = globalThis;
    const answers: [number, unknown][] = [
      [200, [NOTE]],
      [200, { ...NOTE, id: 2, text: "tea", changedAt: "2026-03-11T12:00:00.000Z" }],
      [200, { ...NOTE, pinned: true }],
      [204, null],
      [202, { queued: true }],
      [404, { error: "there is no such note" }],
    ];
    globalThis.fetch = () => {
      const [status, value] = answers.shift()!;
      return Promise.resolve(
        status === 204 ? new Response(null, { status }) : Response.json(value, { status }),
      );
    };
    const ids = () => notes.all?.map(({ id }) => id);
    try {
      await notes.load();
      await notes.add("tea", "k");
      assert.deepEqual(ids(), [2, 1]);
      await notes.change(NOTE, { pinned: true });
      assert.deepEqual(ids(), [1, 2]);
      await notes.remove(NOTE);
      assert.deepEqual(ids(), [2]);
      await notes.add("bread", "k2");
      assert.deepEqual([ids(), notes.waiting], [[2], ["bread"]]);
      assert.equal(await notes.remove(NOTE), false);
      assert.equal(notes.problem, "there is no such note");
    } finally {
      globalThis.fetch = fetch;
    }
  }));
