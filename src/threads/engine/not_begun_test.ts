import assert from "node:assert/strict";
import { HandlerError, TestClock } from "../../base/mod.ts";
import { HostFailure, type HostFailureKind, type ThreadHost } from "../ports.ts";
import { type HostSource, runOnce } from "./not_begun.ts";

const HOSTS = ["one", "two", "three"].map((name) => ({ name }) as unknown as ThreadHost);

/** Hosts that come one after the other; undefined where one does not come up. */
function source(next: (ThreadHost | undefined)[], given: Partial<HostSource> = {}) {
  const clock = new TestClock();
  const get = () => {
    const host = next.shift();
    return host ? Promise.resolve(host) : Promise.reject(new HandlerError("invalid", "wrong definitions"));
  };
  const signal = new AbortController().signal;
  return {
    clock,
    source: {
      ...{ project: "desk", host: HOSTS[0]!, signal, waits: true, limitMs: 60_000, clock, hosts: { get } },
      ...given,
    },
  };
}

function failure(kind: HostFailureKind): HostFailure {
  return new HostFailure(kind, { name: "Interrupted", message: kind });
}

/** Fails in the hosts before the last one, as they were ended. */
function ended(kind: HostFailureKind, last: ThreadHost, seen: ThreadHost[]) {
  return (host: ThreadHost) => {
    seen.push(host);
    return host === last ? Promise.resolve("ran") : Promise.reject(failure(kind));
  };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await undefined;
};

Deno.test("what was not begun goes to the next host, until one begins it", async () => {
  const seen: ThreadHost[] = [];
  const { source: from } = source([HOSTS[1], HOSTS[2]]);
  assert.equal(await runOnce(from, ended("not_begun", HOSTS[2]!, seen)), "ran");
  assert.deepEqual(seen, HOSTS);
});

Deno.test("what may have begun is never run again", async () => {
  for (const kind of ["interrupted", "spun", "thrown"] as const) {
    const seen: ThreadHost[] = [];
    const { source: from } = source([HOSTS[1]]);
    await assert.rejects(
      runOnce(from, ended(kind, HOSTS[1]!, seen)),
      (error: HostFailure) => error.kind === kind,
    );
    assert.deepEqual(seen, [HOSTS[0]]);
  }
});

Deno.test("a turn waits for definitions to be put right; what runs outside of one is told at once", async () => {
  const { source: from, clock } = source([undefined, undefined, HOSTS[1]]);
  const run = runOnce(from, ended("not_begun", HOSTS[1]!, []));
  for (let count = 0; count < 2; count++) {
    await turns();
    clock.tick(2_000);
  }
  assert.equal(await run, "ran");
  const { source: other } = source([undefined], { waits: false });
  await assert.rejects(runOnce(other, ended("not_begun", HOSTS[1]!, [])), /wrong definitions/);
});

Deno.test("nobody goes on with what is not wanted any more, or has looked for a host for too long", async () => {
  const stop = new AbortController();
  const { source: from } = source([undefined, HOSTS[1]], { signal: stop.signal });
  const run = runOnce(from, ended("not_begun", HOSTS[1]!, []));
  await turns();
  stop.abort();
  await assert.rejects(run, (error: HostFailure) => error.kind === "not_begun");
  const { source: late, clock } = source([HOSTS[1]], { limitMs: 10 });
  await assert.rejects(
    runOnce(late, () => {
      clock.tick(10);
      return Promise.reject(failure("not_begun"));
    }),
    (error: HostFailure) => error.kind === "not_begun",
  );
});
