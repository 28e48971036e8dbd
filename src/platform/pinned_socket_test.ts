import assert from "node:assert/strict";
import { pinSocket } from "./pinned_socket.ts";
import { requestUnix } from "./request_unix.ts";

function serving(path: string, status: number): AsyncDisposable {
  const server = Deno.serve({ path, onListen() {} }, () => new Response(null, { status }));
  return { [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("a pinned socket stays the one it was, whatever takes its name", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ps-" });
  const [own, other] = [`${folder}/own.sock`, `${folder}/other.sock`];
  {
    await using _own = serving(own, 201);
    await using _other = serving(other, 202);
    using pin = pinSocket(own);
    assert.ok(pin.isInPlace());
    await Deno.rename(own, `${folder}/away.sock`);
    await Deno.symlink(other, own);
    assert.equal(pin.isInPlace(), false);
    if (Deno.build.os === "linux") assert.equal(await requestUnix(pin.path, "GET", "/", 5_000), 201);
    assert.throws(() => pinSocket(own), /no socket of its own/);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("files and nothing cannot be pinned", async () => {
  const file = await Deno.makeTempFile();
  assert.throws(() => pinSocket(file), /no socket of its own/);
  await Deno.remove(file);
  assert.throws(() => pinSocket(file), /no socket of its own/);
});
