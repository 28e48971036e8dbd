// What a peer does with a cancelled call, with a caller that hangs up, and with a tool that takes four minutes.
//   node behave.mjs [--long 240] [--only a,b] [--out behave.json]
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import process from "node:process";
import { HOME } from "./lib/places.mjs";
import { missing, peers } from "./peers.mjs";
import { start } from "./lib/start.mjs";
import { setups } from "./lib/setups.mjs";

const { values: options } = parseArgs({
  options: {
    long: { type: "string", default: "240" },
    only: { type: "string" },
    out: { type: "string", default: "behave.json" },
  },
});
const log = join(HOME, "npm/backends/backend.log");
writeFileSync(log, "");
const seen = (line) => readFileSync(log, "utf8").includes(line);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const only = options.only?.split(",");
const runs = [], results = {};
const say = (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const call = (run, ms, tag) => {
  const id = run.client.next++;
  const answer = run.client.send(
    id,
    '{"jsonrpc":"2.0","id":',
    `,"method":"tools/call","params":{"name":${
      JSON.stringify(run.tools.sleep)
    },"arguments":{"ms":${ms},"tag":"${tag}"}}}`,
  );
  return {
    id,
    answer: answer.then(
      (a) =>
        a.message?.error
          ? `error ${a.message.error.code}: ${String(a.message.error.message).slice(0, 80)}`
          : a.message?.result?.isError
          ? `tool error: ${JSON.stringify(a.message.result.content).slice(0, 120)}`
          : "answered",
      (e) => `failed: ${e.message.slice(0, 100)}`,
    ),
  };
};

for (const peer of peers(20000 + 10 * Math.floor(Math.random() * 800))) {
  if (peer.group === "floor" || (only && !only.includes(peer.name)) || missing(peer).length) continue;
  try {
    const run = await start(peer, peer.contextforge ? setups.contextforge(peer) : undefined);
    runs.push(run);
    say(`up ${peer.name}`);
  } catch (error) {
    say(`FAIL ${peer.name}: ${error.message}`);
  }
}
await Promise.all(runs.map(async (run) => {
  const name = run.peer.name, result = results[name] = {};
  try {
    const cancelled = call(run, 25000, `cancel-${name}`);
    await sleep(1500);
    const began = performance.now();
    await run.client.notify({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: cancelled.id, reason: "bench" },
    });
    let reached;
    for (let i = 0; i < 60 && !reached; i++) {
      await sleep(50);
      if (seen(`aborted cancel-${name}\n`)) reached = Math.round(performance.now() - began);
    }
    result.cancel = reached
      ? `reached the backend in <= ${reached} ms`
      : seen(`start cancel-${name}\n`)
      ? "never reached the backend (3 s)"
      : "call never reached the backend";
    result.cancel_answer = await Promise.race([cancelled.answer, sleep(2000).then(() => "no answer (2 s)")]);
    if (run.peer.kind === "http") {
      const { HttpClient } = await import("./lib/client.mjs");
      const other = new HttpClient({ port: run.client.port, path: run.client.path });
      Object.assign(other, { extra: run.client.extra });
      await other.open();
      const hung = call({ client: other, tools: run.tools }, 25000, `hang-${name}`);
      await sleep(1500);
      other.inUse.forEach((connection) => {
        connection.closing = true;
        connection.socket.destroy();
      });
      await hung.answer;
      await sleep(2500);
      result.hang_up = seen(`aborted hang-${name}\n`) ? "backend told" : "backend works on";
    }
  } catch (error) {
    result.error = error.message.slice(0, 200);
  }
}));
say("long calls");
const seconds = Number(options.long);
await Promise.all(runs.map(async (run) => {
  const began = performance.now();
  const long = call(run, seconds * 1000, `long-${run.peer.name}`);
  const answer = await Promise.race([long.answer, sleep((seconds + 30) * 1000).then(() => "no answer")]);
  results[run.peer.name][`call_of_${seconds}_s`] = `${answer} after ${
    ((performance.now() - began) / 1000).toFixed(0)
  } s`;
  say(`${run.peer.name}: ${answer}`);
}));
writeFileSync(options.out, JSON.stringify(results, null, 1));
rmSync(log, { force: true });
await Promise.all(runs.map((run) => run.stop()));
process.exit(0);
