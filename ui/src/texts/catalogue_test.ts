import assert from "node:assert/strict";
import en from "./en.json" with { type: "json" };

type Catalogue = { readonly [key: string]: string | Catalogue };

const HERE = new URL("../", import.meta.url);
const texts = new Map(flat(en, ""));

function flat(catalogue: Catalogue, prefix: string): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`)
  );
}

async function* sources(folder: URL): AsyncGenerator<{ readonly path: string; readonly text: string }> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) yield* sources(url);
    else if (/\.(svelte|ts)$/.test(name) && !name.endsWith("_test.ts")) {
      yield { path: url.pathname.slice(HERE.pathname.length), text: await Deno.readTextFile(url) };
    }
  }
}

Deno.test("every text is used somewhere", async () => {
  const exact = new Set<string>(), made: RegExp[] = [];
  for await (const { text } of sources(HERE)) {
    for (const [, key] of text.matchAll(/["'`]([a-z]\w*(?:\.[\w-]+)+)["'`]/g)) exact.add(key!);
    for (const [, key] of text.matchAll(/`([a-z]\w*\.[^`]*\$\{[^`]*)`/g)) {
      const pattern = key!.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(".", "\\.")).join("[\\w.-]+");
      made.push(new RegExp(`^${pattern}$`));
    }
  }
  const unused = [...texts.keys()].filter((key) =>
    !exact.has(key) && !made.some((pattern) => pattern.test(key))
  );
  assert.deepEqual(unused, []);
});

Deno.test("every text can be filled: brackets are paired, a plural has its form for all other numbers", () => {
  for (const [key, text] of texts) {
    const opened = text.split("{").length, closed = text.split("}").length;
    assert.equal(opened, closed, `${key}: a bracket is not paired`);
    for (const [plural] of text.matchAll(/,\s*plural\s*,.*/g)) assert.match(plural, /other \{/, key);
  }
});

/** Marks, names and keys that are the same in every language. */
const SAME = /^(Handler|handler( \w+)*|[\p{P}\p{S}\p{N}\s]*|Ctrl K)$/u;

Deno.test("no component has words of its own: what is read stands in the catalogue", async () => {
  const found: string[] = [];
  for await (const { path, text } of sources(HERE)) {
    if (!path.endsWith(".svelte")) continue;
    const markup = withoutCode(
      text.replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, ""),
    );
    for (const [, words] of markup.matchAll(/>([^<>]+)</g)) {
      if (!SAME.test(words!.trim())) found.push(`${path}: ${words!.trim()}`);
    }
    for (
      const [, name, words] of markup.matchAll(
        /\s(title|label|placeholder|alt|aria-label|intro|hint)="([^"]+)"/g,
      )
    ) {
      if (!SAME.test(words!.trim())) found.push(`${path}: ${name}="${words}"`);
    }
  }
  assert.deepEqual(found, []);
});

/** Takes out everything in brackets, which is code. */
function withoutCode(markup: string): string {
  let depth = 0, result = "";
  for (const letter of markup) {
    if (letter === "{") depth++;
    else if (letter === "}") depth = Math.max(0, depth - 1);
    else if (depth === 0) result += letter;
  }
  return result;
}
