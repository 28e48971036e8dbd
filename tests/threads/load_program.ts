/**
 * Loads projects as a thread host does and prints what each gives, as JSON: run with the imports of a thread host.
 * @module
 */
import { loadDefinitions } from "../../src/guest/threads/definitions/mod.ts";

const loaded = [];
for (const folder of Deno.args) {
  const { set, problems, functions } = await loadDefinitions({
    folder,
    importModule: (path) => import(`file://${path}`),
  });
  const names = Object.entries(functions).flatMap(([kind, all]) =>
    [...all.keys()].map((name) => `${kind} ${name}`)
  );
  loaded.push({ set, problems, functions: names });
}
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(loaded)));
