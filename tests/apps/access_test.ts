/** Whoever loses an app loses what is open to it at once, and nobody else does. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { until } from "../system/wait.ts";
import { type Visit, visit } from "./ask.ts";
import type { Desk } from "./desk.ts";
import { onDriver } from "./drivers.ts";
import { backend } from "./small_app.ts";

const SERVER = backend(`
  if (pathname === "/api/events") {
    return new Response(new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: hello\\n\\n")),
    }), { headers: { "content-type": "text/event-stream" } });
  }
  if (pathname === "/api/slow") await new Promise(() => {});
  if (pathname === "/api/socket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.send("hello");
    return response;
  }
`);

const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

interface Line {
  readonly what: string;
  readonly socket: Socket;
}

/** Opens a connection; `hello` on it says that the backend has it. */
async function open(page: Visit, what: string): Promise<Line> {
  const socket = connect(page.port, "127.0.0.1");
  socket.on("error", () => {}).resume();
  const more = what === "socket" ? UPGRADE : "";
  socket.write(
    `GET /api/${what} HTTP/1.1\r\nHost: ${page.host}\r\nOrigin: ${page.origin}\r\nCookie: ${page.cookie}\r\n${more}\r\n`,
  );
  if (what !== "slow") {
    await new Promise<void>((done) => socket.on("data", (piece) => piece.includes("hello") && done()));
  }
  return { what, socket };
}

const STREAMS = ["events", "socket"], ALL = [...STREAMS, "slow"];

const openAll = (page: Visit, kinds: readonly string[]) => Promise.all(kinds.map((what) => open(page, what)));

const allEnd = (lines: readonly Line[]) =>
  until("the end of what was open", () => lines.every(({ socket }) => socket.closed), 2_000);

async function shared(desk: Desk): Promise<void> {
  await desk.lay({ name: "shared", server: SERVER });
  await desk.deploy("shared");
  await desk.apps.settle("shared", (settings) => ({ ...settings, persons: ["alice"] }));
}

onDriver("bubblewrap", "who loses an app loses what is open to it at once", async (desk) => {
  await shared(desk);
  const [mine, hers] = [
    await openAll(await visit(desk, "shared"), STREAMS),
    await openAll(await visit(desk, "shared", "alice"), ALL),
  ];
  await new Promise((later) => setTimeout(later, 200));
  await desk.apps.registry.update(
    "shared",
    (app) => ({ ...app, settings: { ...app.settings, persons: [] } }),
  );
  await allEnd(hers);
  assert.ok(mine.every(({ socket }) => !socket.closed), "the owner's go on");
  for (const { socket } of mine) socket.destroy();
});

onDriver(
  "bubblewrap",
  "an app that is removed ends what is open to it before it waits for anything",
  async (desk) => {
    await shared(desk);
    const lines = await openAll(await visit(desk, "shared"), ALL);
    await new Promise((later) => setTimeout(later, 200));
    const removed = desk.apps.remove("shared", false);
    await allEnd(lines);
    const from = performance.now();
    await removed;
    assert.ok(performance.now() - from < 5_000, "nothing that was open holds the removal up");
  },
);
