// Starts one peer with its backend, opens a session, finds the tools behind whatever prefix the peer gives them.
import { spawn } from "node:child_process";
import { existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import net from "node:net";
import process from "node:process";
import { HttpClient, SocketClient, SseClient, StdioClient } from "./client.mjs";
import { TMP } from "./places.mjs";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const listening = (port) =>
  new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1" });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

async function until(test, ms, what) {
  const end = Date.now() + ms;
  for (let last;;) {
    try {
      const value = await test();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what} not ready in ${ms} ms${last ? ": " + last.message : ""}`);
    await sleep(50);
  }
}

function launch(command, env, log, cwd = TMP) {
  const out = openSync(log, "a");
  return spawn(command[0], command.slice(1), {
    env: { ...process.env, ...env },
    cwd,
    detached: true,
    stdio: ["ignore", out, out],
  });
}

export const isAlive = (child) => child.exitCode === null && child.signalCode === null;

/** Starts a peer and what it needs; opens a session; finds the tools. The result's `stop` ends all of it. */
export async function start(peer, setup) {
  const began = performance.now();
  const children = [];
  const run = { peer, children };
  run.stop = () => stop(run);
  try {
    const log = join(TMP, `${peer.name}.log`);
    await startHelpers(peer, children, log);
    run.client = await connect(run, setup, log);
    run.info = (await opened(run)).message?.result?.serverInfo;
    await until(() => findTools(run), patience(peer), "tools/list");
    run.startMs = Math.round(performance.now() - began);
    run.roots = [...children.map((child) => child.pid), ...(peer.roots ?? [])];
    return run;
  } catch (error) {
    await run.stop();
    throw error;
  }
}

const patience = (peer) => peer.slow ? 120000 : 40000;

async function stop({ client, children }) {
  client?.close();
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    for (const child of children) {
      try {
        process.kill(-child.pid, signal);
      } catch { /* gone */ }
    }
    for (let i = 0; i < 40 && children.some(isAlive); i++) await sleep(50);
  }
}

async function startHelpers(peer, children, log) {
  for (const aux of [peer.aux ?? []].flat()) {
    if (aux.wait) rmSync(aux.wait, { force: true });
    children.push(launch(aux.command, aux.env, log));
    await until(() => aux.port ? listening(aux.port) : existsSync(aux.wait), 20000, aux.command[0]);
  }
}

async function connect({ peer, children }, setup, log) {
  if (peer.kind === "unix") return new SocketClient({ path: peer.path });
  const command = peer.command.map((part) => typeof part === "function" ? part() : part);
  if (peer.kind === "stdio") {
    const client = new StdioClient({ command, env: peer.env, cwd: TMP, log });
    children.push(client.child);
    return client;
  }
  const child = launch(command, { ...peer.env, ...setup?.env }, log, peer.cwd);
  children.push(child);
  await until(
    () => {
      if (!isAlive(child)) throw new Error(`exited ${child.exitCode}`);
      return listening(peer.port);
    },
    peer.slow ? 180000 : 60000,
    peer.name,
  );
  const target = setup?.register ? await setup.register(peer) : { path: peer.path, headers: peer.headers };
  const Client = peer.kind === "sse" ? SseClient : HttpClient;
  return new Client({ port: peer.port, ...target });
}

/** One that listens may not yet serve, so a server of HTTP is asked again. */
function opened({ peer, client, children }) {
  const limit = patience(peer);
  if (peer.kind === "stdio" || peer.kind === "unix") {
    const late = sleep(limit).then(() => {
      throw new Error("initialize: no answer");
    });
    return Promise.race([client.open(), late]);
  }
  return until(
    () => {
      if (!isAlive(children.at(-1))) throw new Error("exited");
      return client.open();
    },
    limit,
    "initialize",
  );
}

/** The tools behind whatever prefix the peer gives them; a peer may have the typed one alone. */
async function findTools(run) {
  const list = (await run.client.request("tools/list", {})).message?.result?.tools ?? [];
  run.tools = {};
  for (const short of ["echo", "echo_typed", "sleep"]) {
    const dashed = short.replace("_", "-");
    const ending = new RegExp(`(^|[_\\-.:/]+|echo[_\\-]+)(${short}|${dashed})$`);
    const tool = list.find(({ name }) => name === short) ??
      list.find(({ name }) => ending.test(name) && (short !== "echo" || !/typed/.test(name)));
    if (tool) run.tools[short] = tool.name;
  }
  const typed = list.find(({ name }) => name === run.tools.echo_typed);
  run.schema = typed?.outputSchema ? "outputSchema kept" : "outputSchema lost";
  return run.tools.echo_typed;
}
