import assert from "node:assert/strict";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { DENO_VERSION, within } from "../../src/base/mod.ts";
import { denoOf, OLDEST_DENO } from "../../tools/denos.ts";
import { layHome, type SystemHome } from "../system/home.ts";
import { until } from "../system/wait.ts";
import { type SignedIn, signIn, wireText } from "./signed_in.ts";

const MB = 1_000_000;
const SIZE = 300 * MB, PIECE = 60_000;

/** A stream of the desk as a window has it open, and what has come of it. */
function openStream(own: SignedIn, target: string): { readonly socket: Socket; readonly got: () => string } {
  const socket = connect(own.port, "127.0.0.1");
  let got = "";
  socket.setEncoding("utf8").on("data", (piece) => got += piece).on("error", () => {});
  socket.write(wireText(own, { target }));
  return { socket, got: () => got };
}

/** Sends a body in pieces and gives the answer's status. */
function upload(own: SignedIn, path: string): Promise<number | undefined> {
  const headers = { host: own.host, origin: own.origin, cookie: own.cookie, "content-length": SIZE };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: own.port, method: "PUT", path, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    asked.on("error", reject);
    let left = SIZE;
    const send = () => {
      while (left > 0) {
        left -= PIECE;
        if (!asked.write(new Uint8Array(PIECE))) return void asked.once("drain", send);
      }
      asked.end();
    };
    send();
  });
}

async function downloaded(own: SignedIn, path: string): Promise<number> {
  const headers = { host: own.host, cookie: own.cookie };
  return await new Promise((resolve, reject) => {
    let size = 0;
    request({ host: "127.0.0.1", port: own.port, path, headers }, (answer) => {
      answer.on("data", (piece: Uint8Array) => size += piece.length).on("end", () => resolve(size));
    }).on("error", reject).end();
  });
}

/** The most memory that the daemon takes while something is done. */
async function most(home: SystemHome, work: Promise<unknown>): Promise<number> {
  let [peak, going] = [0, true];
  const ended = work.finally(() => going = false);
  while (going) peak = Math.max(peak, (await home.client.status()).memoryBytes);
  await ended;
  return peak;
}

for (const version of [DENO_VERSION, OLDEST_DENO]) {
  Deno.test(`large files, changes and the end of the daemon, on Deno ${version}`, async (t) => {
    await using home = await layHome({ deno: await denoOf(version) });
    await home.start();
    const own = await signIn(home);

    await t.step("a large file goes in and comes out without being held", async () => {
      const { id } = await home.client.trialNew();
      const path = `/v1/trials/${id}/files/large.bin`;
      const before = (await home.client.status()).memoryBytes;
      const [into, out] = [upload(own, path), Promise.withResolvers<number>()];
      const high = await most(home, into);
      assert.equal(await into, 200);
      void downloaded(own, path).then(out.resolve, out.reject);
      const higher = await most(home, out.promise);
      assert.equal(await out.promise, SIZE);
      const grown = Math.round((Math.max(high, higher) - before) / MB);
      assert.ok(grown < 200, `it took ${grown} MB more`);
      await home.client.trialRemove(id);
    });

    await t.step("a change is told at once, in every window", async () => {
      const streams = [openStream(own, "/v1/changes"), openStream(own, "/v1/changes")];
      for (const { got } of streams) {
        await until("the hello", () => Promise.resolve(got().includes("event: hello")));
      }
      await home.client.secretSet("key", new Uint8Array([1]));
      for (const { got } of streams) {
        await until(
          "the change",
          () => Promise.resolve(/event: change\ndata: \{"topic":"secrets"/.test(got())),
        );
      }
      for (const { socket } of streams) socket.destroy();
    });

    await t.step("a page that stays open does not hold the daemon up", async () => {
      const { socket, got } = openStream(own, "/v1/changes");
      await until("the hello", () => Promise.resolve(got().includes("event: hello")));
      await within(5_000, "the daemon's end", home.stop("SIGTERM"));
      socket.destroy();
    });
  });
}
