import assert from "node:assert/strict";
import type { HandlerFile } from "../kit/mod.ts";
import { mapArguments } from "./arguments.ts";

function file(text: string, mediaType: string): HandlerFile {
  const bytes = new TextEncoder().encode(text);
  return {
    kind: "file",
    size: bytes.length,
    mediaType,
    bytes: () => Promise.resolve(bytes),
    stream: () => Promise.resolve(new Blob([bytes]).stream()),
    base64: () => Promise.resolve(btoa(text)),
  };
}

Deno.test("arguments are renamed or moved inside, and what is not named is not handed on", async () => {
  const mapping = {
    arguments: { query: "q", limit: "/options/max", lang: "/options/lang" },
    files: "base64",
  } as const;
  const mapped = await mapArguments({ query: "tea", limit: 3, lang: "en", secret: "no" }, mapping);
  assert.deepEqual(mapped, { q: "tea", options: { max: 3, lang: "en" } });
  assert.deepEqual(await mapArguments({}, mapping), {});
});

Deno.test("files become base64, a data URL by their first bytes, or text, also inside lists and objects", async () => {
  const input = {
    path: file("%PDF-1.7 x", "application/octet-stream"),
    more: [{ at: file("hi", "text/plain") }],
  };
  const names = { path: "p", more: "m" };
  assert.deepEqual(await mapArguments(input, { arguments: names, files: "base64" }), {
    p: btoa("%PDF-1.7 x"),
    m: [{ at: btoa("hi") }],
  });
  assert.deepEqual(await mapArguments(input, { arguments: names, files: "data-url" }), {
    p: `data:application/pdf;base64,${btoa("%PDF-1.7 x")}`,
    m: [{ at: `data:text/plain;base64,${btoa("hi")}` }],
  });
  assert.deepEqual(await mapArguments(input, { arguments: names, files: "text" }), {
    p: "%PDF-1.7 x",
    m: [{ at: "hi" }],
  });
});

Deno.test("a file that is to be written cannot be handed to a wrapped server", async () => {
  const input = { out: { kind: "output", write() {} } };
  await assert.rejects(mapArguments(input, { arguments: { out: "out" }, files: "base64" }), /cannot write/);
});

Deno.test("a name like __proto__ is a name as any other", async () => {
  const mapped = await mapArguments({ a: { polluted: true } }, {
    arguments: { a: "/__proto__/x" },
    files: "text",
  });
  assert.equal(({} as { x?: unknown }).x, undefined);
  assert.deepEqual(Object.keys(mapped), ["__proto__"]);
});
