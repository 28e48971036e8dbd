/**
 * Where handlerd's time goes: `deno run -A bench/router/profile.ts [--flight N] [--seconds N] [--tool echo|pages] [OUT]`.
 * Calls the echo through the router while V8 samples the daemon, writes OUT (a `.cpuprofile` for a browser's developer
 * tools), and prints the functions that took most of the time themselves.
 * @module
 */
import { parseArgs } from "node:util";
import { temporaryFolder } from "../../src/platform/mod.ts";
import { quickDriver, SOURCE, startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The inspector's protocol, one question after the other. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #next = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, result } = JSON.parse(data);
      this.#waiting.get(id)?.(result);
    };
  }

  static async open(port: number): Promise<Inspector> {
    const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve) => socket.onopen = resolve);
    return new Inspector(socket);
  }

  ask(method: string, params = {}): Promise<unknown> {
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  close(): void {
    this.#socket.close();
  }
}

async function profile(flight: number, seconds: number, tool: string): Promise<Profile> {
  const { folders } = await layHome(await temporaryFolder(), { wrapped: undefined });
  const port = freePort();
  const [deno = "", run = "", ...rest] = SOURCE.argv;
  const argv = [deno, run, `--inspect=127.0.0.1:${port}`, ...rest];
  await using daemon = await startHandlerd(folders, {
    program: { kind: "source", argv },
    driver: await quickDriver(),
  });
  await trustAll(daemon.client, ["echo", "bulk"]);
  const caller = await daemon.connect("desk", tool === "pages" ? "bulk" : "echo");
  const call = tool === "pages"
    ? () => caller.call("bulk_pages", '{"pages":750}')
    : () => caller.call("echo_typed", JSON.stringify({ text: "x".repeat(1024) }));
  await keepCalling(call, flight, 1000);
  const inspector = await Inspector.open(port);
  await inspector.ask("Profiler.enable");
  await inspector.ask("Profiler.setSamplingInterval", { interval: 200 });
  await inspector.ask("Profiler.start");
  const calls = await keepCalling(call, flight, seconds * 1000);
  const { profile } = await inspector.ask("Profiler.stop") as { profile: Profile };
  inspector.close();
  console.log(`${calls} calls, ${Math.round(calls / seconds)} a second, ${flight} in flight\n`);
  return profile;
}

async function keepCalling(call: () => Promise<unknown>, flight: number, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let calls = 0;
  await Promise.all(Array.from({ length: flight }, async () => {
    for (; performance.now() < end; calls++) await call();
  }));
  return calls;
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return listener.addr.port;
}

/** Self time by function, most first, as shares of all. */
function top({ nodes, samples, timeDeltas }: Profile): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, number>();
  samples.forEach((id, at) => {
    const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
    const place = `${functionName || "(anonymous)"} ${url.replace(/^.*\/(?=src\/|ext:)/, "")}:${
      lineNumber + 1
    }`;
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[at] ?? 0));
  });
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].sort(([, a], [, b]) => b - a).slice(0, 40)
    .map(([place, time]) => `${(100 * time / all).toFixed(1).padStart(5)} %  ${place}`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      flight: { type: "string", default: "1" },
      seconds: { type: "string", default: "5" },
      tool: { type: "string", default: "echo" },
    },
  });
  const found = await profile(Number(values.flight), Number(values.seconds), values.tool);
  if (positionals[0]) await Deno.writeTextFile(positionals[0], JSON.stringify(found));
  console.log(top(found).join("\n"));
  Deno.exit(0);
}
