import assert from "node:assert/strict";
import type { ApiError, ApiRequest } from "./api.ts";
import { type Frame, overPort } from "./remote.ts";

const PLAIN: ApiRequest = { method: "GET", path: "/api/a", headers: {}, body: undefined, signal: undefined };

interface Asked {
  readonly id: number;
  readonly path?: string;
  readonly body?: ArrayBuffer | null;
  readonly abort?: true;
}

/** A frame, and the client's end of the port that is handed to it. */
function frame() {
  const window = new EventTarget();
  const parent = {};
  const { port1, port2 } = new MessageChannel();
  const hand = (source: unknown) =>
    window.dispatchEvent(Object.assign(new Event("message"), {
      source,
      data: { type: "handler.app/v1" },
      ports: [port2],
    }));
  const next = () =>
    new Promise<Asked>((resolve) => port1.onmessage = ({ data }: MessageEvent<Asked>) => resolve(data));
  const transport = overPort(Object.assign(window, { parent }) as unknown as Frame);
  const close = () => [port1, port2].forEach((port) => port.close());
  return {
    transport,
    client: port1,
    next,
    close,
    hand: () => hand(parent),
    handFromElsewhere: () => hand({}),
  };
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

Deno.test("calls wait for the port, then travel through it with their bodies", async () => {
  const { transport, client, next, close, hand, handFromElsewhere } = frame();
  const answer = transport({ ...PLAIN, method: "POST", body: "hello" });
  handFromElsewhere();
  hand();
  const asked = await next();
  assert.equal(asked.path, "/api/a");
  assert.equal(new TextDecoder().decode(asked.body!), "hello");
  client.postMessage({ id: asked.id, status: 200, type: "text/plain", body: bytes("there") });
  const { status, type, body } = await answer;
  assert.deepEqual([status, type, await body.text()], [200, "text/plain", "there"]);
  close();
});

Deno.test("answers find their calls in any order, and a lost one is an error in words", async () => {
  const { transport, client, next, close, hand } = frame();
  hand();
  const first = transport(PLAIN);
  const { id: one } = await next();
  const second = transport({ ...PLAIN, path: "/api/b" });
  const { id: two } = await next();
  client.postMessage({ id: two, status: 204 });
  client.postMessage({ id: one, error: "Your computer is off." });
  assert.equal((await second).status, 204);
  await assert.rejects(first, (error: ApiError) => error.status === 0 && /is off/.test(error.message));
  close();
});

Deno.test("a call that is given up is told to the other side", async () => {
  const { transport, next, close, hand } = frame();
  hand();
  const controller = new AbortController();
  const call = transport({ ...PLAIN, signal: controller.signal });
  const { id } = await next();
  const told = next();
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
  assert.deepEqual(await told, { id, abort: true });
  close();
});
