import assert from "node:assert/strict";
import { runChecks } from "./check.ts";
import { networkChecks } from "./network.ts";

async function port(port: number, daemonPid: number | undefined) {
  const found = await runChecks(networkChecks({ port, daemonPid }), 5_000);
  return found.find(({ name }) => name === "port");
}

Deno.test("the port for browsers is free, the daemon's, or another program's", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken = (listener.addr as Deno.NetAddr).port;
  const other = await port(taken, undefined);
  assert.equal(other?.state, "failed");
  assert.match(
    other?.detail ?? "",
    new RegExp(`^${taken} is taken by .+, process ${Deno.pid}, so no browser`),
  );
  assert.match(other?.hint ?? "", new RegExp(`HANDLER_PORT=${taken + 1}$`));
  assert.match((await port(taken, Deno.pid))?.detail ?? "", /is handlerd's/);
  listener.close();
  assert.match((await port(taken, undefined))?.detail ?? "", /is free for browsers/);
  assert.match((await port(0, undefined))?.detail ?? "", /any free port/);
});
