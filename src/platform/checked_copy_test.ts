import assert from "node:assert/strict";
import { sha256Hex, utf8 } from "../base/mod.ts";
import { download, fileSha256, writeHashed } from "./checked_copy.ts";

Deno.test("a file is written with its checksum, or not at all", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/file`;
  const counts: number[] = [];
  const sum = await writeHashed(
    ReadableStream.from([utf8("ab"), utf8("c")]),
    path,
    0o755,
    (count) => counts.push(count),
  );
  assert.deepEqual([sum, await fileSha256(path)], [await sha256Hex(utf8("abc")), sum]);
  assert.deepEqual(counts, [2, 3]);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o755);
  const broken = (async function* () {
    yield utf8("a");
    throw new Error("broken");
  })();
  await assert.rejects(writeHashed(broken, `${folder}/other`, 0o644), /broken/);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["file"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("downloads come over https, or from this machine; a redirect cannot lead elsewhere", async () => {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    if (url.endsWith("/away")) return Response.redirect(`http://0.0.0.0:${new URL(url).port}/`);
    if (url.endsWith("/there")) return new Response(null, { status: 302, headers: { location: "/file" } });
    if (url.endsWith("/round")) return Response.redirect(url);
    if (url.endsWith("/missing")) return new Response("no", { status: 404 });
    return new Response("the bytes");
  });
  const all = async (address: string) =>
    (await Array.fromAsync(download(address))).map((chunk) => new TextDecoder().decode(chunk)).join("");
  const here = `http://127.0.0.1:${server.addr.port}`;
  assert.equal(await all(`${here}/file`), "the bytes");
  await assert.rejects(all(`${here}/missing`), /answered with 404/);
  await assert.rejects(all(`${here}/away`), /over https only, found http:\/\/0\.0\.0\.0/);
  assert.equal(await all(`${here}/there`), "the bytes");
  await assert.rejects(all(`${here}/round`), /more than 5 times/);
  await assert.rejects(all("http://example.org/file"), /over https only/);
  await assert.rejects(all("file:///etc/passwd"), /over https only/);
  await server.shutdown();
  await assert.rejects(all(`${here}/file`), /could not be fetched/);
});
