// A batch of calls of one kind over one peer: how long each took, and what the machine did meanwhile.
import { isBackend } from "./places.mjs";
import { cpuMs, machineBusyMs, ownBusyMs } from "./proc.mjs";

const PREFIX = '{"jsonrpc":"2.0","id":';

export async function batch(run, { tool, text, flight, count, ms }) {
  const name = run.tools[tool];
  if (!name) return undefined;
  const suffix = `,"method":"tools/call","params":{"name":${
    JSON.stringify(name)
  },"arguments":{"text":"${text}"}}}`;
  const samples = [], errors = [];
  const limit = Math.max(flight, Math.round(count));
  const cpu0 = cpuOf(run), machine0 = machineBusyMs(), own0 = ownBusyMs();
  const began = performance.now(), end = began + ms;
  let sent = 0;
  const caller = async () => {
    while (sent < limit && performance.now() < end && errors.length < 5) {
      sent++;
      await oneCall(run, suffix, text.length, samples, errors);
    }
  };
  await Promise.all(Array.from({ length: flight }, caller));
  const wall = performance.now() - began;
  const cpu1 = cpuOf(run);
  const foreign = Math.max(0, (machineBusyMs() - machine0 - (ownBusyMs() - own0)) / wall);
  return { samples, errors, wall, peerCpu: cpu1.peer - cpu0.peer, foreign };
}

async function oneCall(run, suffix, least, samples, errors) {
  const from = performance.now();
  try {
    const answer = await Promise.race([run.client.send(run.client.next++, PREFIX, suffix), late()]);
    const took = performance.now() - from;
    if (answer.size < least || answer.message?.error || answer.message?.result?.isError) {
      errors.push(JSON.stringify(answer.message ?? { size: answer.size }).slice(0, 300));
    } else samples.push(took);
  } catch (error) {
    errors.push(error.message.slice(0, 300));
  }
}

/** A call that never comes back ends the run of its peer. */
function late() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer in 60 s")), 60000).unref();
  });
}

function cpuOf(run) {
  return run.roots.map((pid) => cpuMs(pid, isBackend))
    .reduce((a, b) => ({ peer: a.peer + b.peer, backend: a.backend + b.backend }), { peer: 0, backend: 0 });
}
