/// <reference lib="dom" />
/**
 * The pictures of the documentation, made from the running product: `deno run -A tools/screenshots.ts`. A daemon of its
 * own with something in every view, a real Chromium, `docs/images/`.
 * @module
 */
import { Desk } from "../tests/desk/desk.ts";
import { furnish, type Furniture } from "../tests/desk/furnished.ts";
import type { Client } from "../src/client/mod.ts";
import { ensureFolder } from "../src/platform/mod.ts";
import { ROOT } from "./repository.ts";

/** The pictures, by name: which path they show. */
const PICTURES: Readonly<Record<string, Picture>> = {
  home: { path: () => "/" },
  reading: {
    path: ({ trial, binding }) =>
      `/services/ocr/v1?${new URLSearchParams({ tab: "try", trial, file: FILE, binding, run: "1" })}`,
    until: "1,084.85",
  },
  app: { path: ({ asking }) => `/apps/${asking}?tab=deploy` },
  thread: { path: ({ thread }) => `/threads/${thread}`, until: "done" },
  calls: { path: () => "/calls" },
};

/** What a picture shows. */
interface Picture {
  readonly path: (made: Furniture & { readonly trial: string }) => string;
  /** Words that it waits for. */
  readonly until?: string;
}

const FILE = "invoice-scan.pdf";

const SIZE = { width: 1200, height: 760 };

async function main(): Promise<void> {
  const folder = `${ROOT}/docs/images`;
  await ensureFolder(folder, 0o755);
  await using desk = await Desk.start();
  const made = { ...await furnish(desk.home), trial: await trialWithInvoice(desk.home.client) };
  await mend(`${desk.home.path}/${made.asking}/server/main.ts`);
  const visit = await desk.visit("chromium");
  await visit.page.setViewport(SIZE);
  for (const [name, { path, until }] of Object.entries(PICTURES)) {
    await visit.go(path(made));
    await visit.settled();
    if (until !== undefined) await visit.read(until);
    await visit.page.waitForFunction(canvasesDrawn, { polling: 100 });
    await Deno.writeFile(`${folder}/${name}.png`, await visit.page.screenshot());
    console.log(`docs/images/${name}.png`);
  }
}

/** The app that asks for everything has a fault in its first line, which is not what its picture is about. */
async function mend(server: string): Promise<void> {
  const [, ...lines] = (await Deno.readTextFile(server)).split("\n");
  await Deno.writeTextFile(server, lines.join("\n"));
}

/** Runs in the page: whether every canvas has something on it. */
function canvasesDrawn(): boolean {
  return [...document.querySelectorAll("canvas")].every((canvas) => {
    const { width, height } = canvas;
    const pixels = width * height === 0
      ? []
      : canvas.getContext("2d")!.getImageData(0, 0, width, height).data;
    return pixels.some((value, at) => at % 4 !== 3 && value !== 0 && value !== 255);
  });
}

async function trialWithInvoice(client: Client): Promise<string> {
  const { id } = await client.trialNew();
  const bytes = await Deno.readFile(`${ROOT}/interfaces/ocr/v1/conformance/${FILE}`);
  await client.trialPut(id, FILE, new Blob([bytes]));
  return id;
}

if (import.meta.main) await main();
