import assert from "node:assert/strict";
import { sourceOf, type SourceWords, sumFor, targetName } from "./source.ts";

const SUM = "ab".repeat(32);
const NONE: SourceWords = {
  from: undefined,
  sha256: undefined,
  sums: undefined,
  url: undefined,
  cwd: "/work",
};

Deno.test("a list of checksums is read as sha256sum writes it", () => {
  const list = `${SUM}  handlerd\n${"cd".repeat(32)} *./handlerd-x\nno line\n`;
  assert.equal(sumFor(list, "handlerd"), SUM);
  assert.equal(sumFor(list, "handlerd-x"), "cd".repeat(32));
  assert.equal(sumFor(list, "handler"), undefined);
});

Deno.test("a source is a file by its path, and needs a checksum", async () => {
  const source = await sourceOf({ ...NONE, from: "dist/handlerd", sha256: SUM.toUpperCase() });
  assert.deepEqual([source.place, source.sha256], ["/work/dist/handlerd", SUM]);
  await assert.rejects(sourceOf({ ...NONE, from: "handlerd" }), /nothing says what \/work\/handlerd must be/);
  await assert.rejects(sourceOf({ ...NONE, from: "handlerd", sha256: "12" }), /64 hexadecimal digits/);
  await assert.rejects(sourceOf(NONE), /nothing says where the new program is/);
});

Deno.test("the folder of the configuration has a program and a list", async () => {
  const name = `handlerd-${targetName()}`;
  let answer = `${SUM}  ${name}\n`;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    ({ url }) => url.endsWith("/new/SHA256SUMS") ? new Response(answer) : new Response("no", { status: 404 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  try {
    const source = await sourceOf({ ...NONE, url: `${url}/new/` });
    assert.deepEqual([source.place, source.sha256], [`${url}/new/${name}`, SUM]);
    answer = `${SUM}  something-else\n`;
    await assert.rejects(sourceOf({ ...NONE, url: `${url}/new` }), /SHA256SUMS has no SHA-256 of handlerd-/);
    await assert.rejects(sourceOf({ ...NONE, url: `${url}/old` }), /answered with 404/);
    answer = "x".repeat(2 << 20);
    await assert.rejects(sourceOf({ ...NONE, url: `${url}/new` }), /no list of checksums/);
  } finally {
    await server.shutdown();
  }
});

Deno.test("a list behind plain http is not asked for", async () => {
  await assert.rejects(
    sourceOf({ ...NONE, from: "/x", sums: "http://example.org/SHA256SUMS" }),
    /over https only, found http:\/\/example\.org/,
  );
});
