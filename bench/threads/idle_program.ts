/**
 * Makes threads with one turn each, lets the project sleep, and says what a thread takes.
 *
 *     deno run -A --v8-flags=--expose-gc bench/threads/idle_program.ts FOLDER COUNT
 * @module
 */
import { delay } from "../../src/base/mod.ts";
import { openWorld, type World } from "./world.ts";

const WARM = 2000;

interface Used {
  readonly heap: number;
  readonly resident: number;
}

async function used(): Promise<Used> {
  const { gc } = globalThis as { readonly gc?: () => void };
  for (let round = 0; round < 3; round++) {
    gc?.();
    await delay(50);
  }
  const { heapUsed, external, rss } = Deno.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

async function turns(world: World, count: number): Promise<void> {
  const said = { content: "hello", side: undefined, metadata: undefined, attachments: [] };
  for (let left = count; left > 0; left -= 100) {
    const made = await Promise.all(Array.from({ length: 100 }, () => world.create()));
    await Promise.all(made.map((thread) => world.threads.send(thread, said)));
  }
  while (world.store.unfinished(undefined).length > 0) await delay(20);
}

if (import.meta.main) {
  const [folder = "", count = "1000"] = Deno.args;
  const world = await openWorld(folder);
  await turns(world, WARM);
  const before = await used();
  await turns(world, Number(count));
  await world.sleep();
  const after = await used();
  const children = new Deno.Command("pgrep", { args: ["-P", String(Deno.pid), "-c", "bwrap"] }).outputSync();
  const processes = Number(new TextDecoder().decode(children.stdout).trim());
  const each = (of: keyof Used) => (after[of] - before[of]) / Number(count);
  console.log(JSON.stringify({ bytes: each("heap"), resident: each("resident"), processes }));
  Deno.exit(0);
}
