/**
 * The pictures of the documentation, made from the running product: `deno run -A tools/screenshots.ts`. A daemon of its
 * own with something in every view, a real Chromium, `docs/images/`.
 * @module
 */
import { Desk } from "../tests/desk/desk.ts";
import { furnish, type Furniture } from "../tests/desk/furnished.ts";
import { ensureFolder } from "../src/platform/mod.ts";
import { ROOT } from "./repository.ts";

/** The pictures, by name: which path they show. */
const PICTURES: Readonly<Record<string, (made: Furniture) => string>> = {
  home: () => "/",
};

const SIZE = { width: 1200, height: 760 };

async function main(): Promise<void> {
  const folder = `${ROOT}/docs/images`;
  await ensureFolder(folder, 0o755);
  await using desk = await Desk.start();
  const made = await furnish(desk.home);
  const visit = await desk.visit("chromium");
  await visit.page.setViewport(SIZE);
  for (const [name, path] of Object.entries(PICTURES)) {
    await visit.go(path(made));
    await visit.settled();
    await Deno.writeFile(`${folder}/${name}.png`, await visit.page.screenshot());
    console.log(`docs/images/${name}.png`);
  }
}

if (import.meta.main) await main();
