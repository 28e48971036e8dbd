/**
 * Looks into the data of a mini app, in a sandbox of its own: whoever wrote a database can make a journal that has SQLite
 * delete any file it may. The task comes as JSON in an argument; the last line that is printed says what was found.
 * @module
 */
import { type DataTask, inspect } from "./inspect.ts";

async function answer(task: DataTask): Promise<unknown> {
  try {
    return { found: await inspect(task) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const text = JSON.stringify(await answer(JSON.parse(Deno.args[0]!)));
await Deno.stdout.write(new TextEncoder().encode(`\n${text}\n`));
