import assert from "node:assert/strict";
import type { AppView, ConnectorView, JobView, Status, ThreadRow } from "$client";
import { waitingFor, type WaitingSource } from "./waiting.ts";

const nothing: WaitingSource = {
  status: { problems: [] as Status["problems"] } as Status,
  ...{ apps: [], agents: [], connectors: [], threads: [], jobs: [] },
};

function app(parts: Partial<AppView>): AppView {
  return { name: "notes", state: "stopped", version: "0.1.0", ready: null, ...parts } as AppView;
}

function deploy(id: string, parts: Partial<JobView>): JobView {
  return {
    id,
    request: { kind: "deploy", app: "notes", hash: "" },
    state: "done",
    result: null,
    ...parts,
  } as JobView;
}

Deno.test("where all is well nothing waits", () => {
  assert.deepEqual(waitingFor(nothing), []);
  assert.deepEqual(
    waitingFor({ ...nothing, apps: [app({})], jobs: [deploy("j", { result: { deployed: true } })] }),
    [],
  );
});

Deno.test("what stops something comes first", () => {
  const waiting = waitingFor({
    ...nothing,
    apps: [app({ ready: "0.2.0" }), app({ name: "coach", state: "failing" })],
    threads: [{ id: "t1", agent: "shopper", title: null } as ThreadRow],
  });
  assert.deepEqual(waiting.map(({ id, urgent }) => [id, urgent]), [
    ["failing coach", true],
    ["ready notes", false],
    ["thread t1", false],
  ]);
  assert.deepEqual(waiting[2]!.values, { name: "shopper" });
});

Deno.test("a connector is asked about only where it is used", () => {
  const proven = [{ interfaceId: "ocr/v1", binding: "b", state: "unproven" as const, at: null }];
  const one = { name: "mine", bindings: [] as readonly string[], proven } as unknown as ConnectorView;
  assert.deepEqual(waitingFor({ ...nothing, connectors: [one] }), []);
  const [found] = waitingFor({ ...nothing, connectors: [{ ...one, bindings: ["b"] }] });
  assert.equal(found?.href, "/services/ocr/v1?tab=providers");
});

Deno.test("a failed deploy waits until a later one has gone well", () => {
  const failed = deploy("j1", { result: { deployed: false } });
  const apps = [app({})];
  assert.equal(waitingFor({ ...nothing, apps, jobs: [failed] }).length, 1);
  assert.equal(
    waitingFor({ ...nothing, apps, jobs: [deploy("j2", { result: { deployed: true } }), failed] }).length,
    0,
  );
});
