import assert from "node:assert/strict";
import { DENO_VERSION, linesOf } from "../../src/base/mod.ts";
import { denoEnv, denoOf, OLDEST_DENO } from "../../tools/denos.ts";
import { until } from "./wait.ts";

const PROGRAM = new URL("asking_program.ts", import.meta.url).pathname;
const SERVER = `Deno.serve({ path: Deno.args[0], onListen() {} }, async (request) => {
  await request.text();
  await new Promise((resolve) => setTimeout(resolve, 2));
  return Response.json({ some: "answer" });
});`;

async function answers(path: string): Promise<boolean> {
  (await Deno.connect({ transport: "unix", path })).close();
  return true;
}

/** Counts who connects over TCP. */
function sink(): { readonly url: string; readonly count: () => number } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let count = 0;
  (async () => {
    for await (const connection of listener) {
      count++;
      connection.close();
    }
  })().catch(() => {});
  const url = `http://127.0.0.1:${listener.addr.port}/v1/status`;
  return { url, count: () => count, [Symbol.dispose]: () => listener.close() };
}

/** What the program may reach: the socket alone, so that a look-up of a name would fail in another way. */
function leave(version: string, socket: string): string[] {
  const net = version === OLDEST_DENO ? [] : [`--allow-net=unix:${socket}`]; // an older one asks for no leave there
  return ["--no-prompt", "--allow-read", "--allow-write", ...net];
}

for (const version of [DENO_VERSION, OLDEST_DENO]) {
  for (const host of ["the address of a listener", "a name"]) {
    Deno.test(`a server that dies under load is unreachable at once and nothing else is asked: ${host}, Deno ${version}`, async () => {
      const folder = await Deno.makeTempDir();
      using other = sink();
      const url = host === "a name" ? "http://handlerd/v1/status" : other.url;
      const socket = `${folder}/api.sock`;
      await Deno.writeTextFile(`${folder}/server.js`, SERVER);
      const server = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", `${folder}/server.js`, socket],
      }).spawn();
      await until("the server", () => answers(socket));
      const asking = new Deno.Command(await denoOf(version), {
        args: ["run", "--no-check", ...leave(version, socket), PROGRAM, socket, url],
        env: denoEnv(),
        stdout: "piped",
      }).spawn();
      let last = "";
      for await (const line of linesOf(asking.stdout)) {
        if (line === "asking") server.kill("SIGKILL");
        last = line;
      }
      if (last.includes('"answered":0')) server.kill("SIGKILL");
      await server.status;
      assert.equal((await asking.status).code, 0);
      const { answered, failed, longestMs, kinds } = JSON.parse(last);
      assert.ok(answered >= 100 && failed >= 300, last);
      assert.deepEqual(kinds, ["unreachable"]);
      assert.ok(longestMs < 2_000, `one failed after ${longestMs} ms`);
      assert.equal(other.count(), 0);
      await Deno.remove(folder, { recursive: true });
    });
  }
}
