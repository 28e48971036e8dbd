/// <reference lib="dom" />
import assert from "node:assert/strict";
import axe from "axe-core";
import { within } from "../../src/base/mod.ts";
import en from "../../ui/src/texts/en.json" with { type: "json" };
import { ROOT } from "../../tools/repository.ts";
import { BROWSERS, Desk, LIMIT_MS, type Visit } from "./desk.ts";
import { furnish, type Furniture } from "./furnished.ts";

/** Where each view is seen: by the pattern of its path, every tab of it. */
const VIEWS: Readonly<Record<string, (made: Furniture) => readonly string[]>> = {
  "/": () => ["/"],
  "/welcome": () => ["/welcome"],
  "/apps": () => ["/apps", "/apps?add=new", "/apps?add=folder", "/apps?add=export"],
  "/apps/:name": ({ app, asking, deploy }) => [
    ...["", "?tab=versions", "?tab=data", "?tab=log", "?tab=persons", "?tab=remove"].map((tab) =>
      `/apps/${app}${tab}`
    ),
    `/apps/${asking}`,
    `/apps/${asking}?tab=deploy&job=${deploy}`,
  ],
  "/inbox": () => ["/inbox", "/inbox?tab=unread&source=app%3Acoach", "/inbox?source=app%3Anobody"],
  "/persons": ({ person }) => ["/persons", "/persons?add=1", `/persons?edit=${person}`],
  "/agents": () => ["/agents"],
  "/agents/new": () => ["/agents/new"],
  "/agents/:name": ({ agent }) =>
    ["", "?tab=providers", "?tab=edit", "?tab=sessions", "?tab=calls"].map((tab) => `/agents/${agent}${tab}`),
  "/projects/new": () => ["/projects/new"],
  "/projects/:name": ({ project }) => [`/projects/${project}`, `/projects/${project}?tab=edit`],
  "/sessions/:id": ({ session }) => [`/sessions/${session}`],
  "/calls": () => ["/calls", "/calls?tab=charts&range=hour", "/calls?caller=nobody", "/calls?range=custom"],
  "/calls/:id": ({ call }) => [`/calls/${call}`],
  "/threads": ({ project }) => [
    ...["", `?project=${project}`, "?state=failed", "?tab=ended"].map((query) => `/threads${query}`),
  ],
  "/threads/new": ({ project }) => [`/threads/new?project=${project}`],
  "/threads/definitions/:project": ({ project }) => [
    ...["", "?tab=types"].map((tab) => `/threads/definitions/${project}${tab}`),
  ],
  "/threads/:id": ({ thread }) => [
    ...["", "?tab=about", "?tab=files", "?tab=kept"].map((tab) => `/threads/${thread}${tab}`),
  ],
  "/settings": () => ["/settings"],
  "/doctor": () => ["/doctor"],
  "/services": () => ["/services"],
  "/services/:name/:version": ({ interfaceId }) => [
    ...["", "?tab=providers", "?tab=try", "?tab=compare"].map((tab) => `/services/${interfaceId}${tab}`),
    "/services/probe/v1",
  ],
  "/services/:name/:version/new": ({ interfaceId }) => [`/services/${interfaceId}/new?connector=ocr-mistral`],
  "/bindings/:name": ({ binding }) =>
    ["", "?tab=check", "?tab=log"].map((tab) => `/bindings/${binding}${tab}`),
  "/secrets": () => ["/secrets"],
  "/help": () => ["/help"],
  "/help/:page": () => ["/help/getting-started"],
};

/** The patterns that the page has. */
async function patterns(): Promise<readonly string[]> {
  const source = await Deno.readTextFile(`${ROOT}/ui/src/app/views.ts`);
  return [...source.matchAll(/pattern: "([^"]+)"/g)].map(([, pattern]) => pattern!);
}

async function* everyView(visit: Visit, made: Furniture): AsyncGenerator<string> {
  for (const pattern of await patterns()) {
    for (const path of VIEWS[pattern]?.(made) ?? []) {
      await visit.go(path);
      await visit.settled();
      yield path;
    }
  }
}

Deno.test("every view is named here, so that every view is looked at", async () => {
  assert.deepEqual((await patterns()).filter((pattern) => !(pattern in VIEWS)), []);
});

for (const browser of BROWSERS) {
  Deno.test(
    `every view is in order (${browser})`,
    { sanitizeOps: false, sanitizeResources: false },
    async (t) => {
      await using desk = await Desk.start();
      const made = await furnish(desk.home);
      const visit = await desk.visit(browser);
      const step = (name: string, work: () => Promise<void>) =>
        t.step(name, () => within(LIMIT_MS, name, work()));

      await step("axe finds nothing in either theme, and nothing is wider than a phone", async () => {
        const found: string[] = [];
        for await (const path of everyView(visit, made)) {
          for (const theme of ["light", "dark"] as const) {
            await visit.page.evaluate((theme) => document.documentElement.dataset.theme = theme, theme);
            await visit.still();
            for (const one of await violations(visit)) found.push(`${path}, ${theme}: ${one}`);
          }
          await visit.page.setViewport({ width: 360, height: 740 });
          const width = await visit.page.evaluate(() => document.scrollingElement!.scrollWidth);
          if (width > 360) found.push(`${path}: ${width} px`);
          await visit.page.setViewport({ width: 1440, height: 900 });
        }
        assert.deepEqual(found, []);
      });

      await step("in another language nothing is hard-wired or cut off", async () => {
        await visit.page.evaluate(() => localStorage.setItem("handler-language", "pseudo"));
        const english = plainTexts(en);
        const found: string[] = [];
        for await (const path of everyView(visit, made)) {
          for (const one of await wrongTexts(visit, english)) found.push(`${path}: ${one}`);
        }
        assert.deepEqual(found, []);
        await visit.page.evaluate(() => localStorage.removeItem("handler-language"));
      });

      assert.deepEqual(visit.complaints, []);
    },
  );
}

/** What of axe's results is read. */
interface Found {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function violations(visit: Visit): Promise<readonly string[]> {
  await visit.page.evaluate(axe.source);
  const found = await visit.page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: Document, options: unknown): Promise<{ violations: Found[] }> };
    };
    const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return (await axe.run(document, { resultTypes: ["violations"], runOnly: rules })).violations;
  });
  return found.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`
  );
}

type Catalogue = { readonly [key: string]: string | Catalogue };

/** Texts that stand on the page word for word; a short one may be a name of the data too. */
function plainTexts(catalogue: Catalogue): readonly string[] {
  return Object.values(catalogue).flatMap((value) =>
    typeof value !== "string" ? plainTexts(value) : value.includes("{") || value.length < 8 ? [] : [value]
  );
}

/** English where the pseudo-language should be, and texts of it that lost their end. */
async function wrongTexts(visit: Visit, english: readonly string[]): Promise<readonly string[]> {
  return await visit.page.evaluate((english) => {
    const known = new Set(english);
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? "", element = node.parentElement!;
      if (element.closest(".markdown")) continue; // the documentation has a language of its own
      if (known.has(text)) found.push(`hard-wired: ${text}`);
      if (!text.includes("·") || !element.checkVisibility() || element.closest(".spoken")) continue;
      const cut = ["hidden", "clip"].includes(getComputedStyle(element).overflowX) &&
        element.scrollWidth > element.clientWidth + 1;
      if (cut) found.push(`cut off: ${text}`);
    }
    return found;
  }, english);
}
