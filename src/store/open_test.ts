import assert from "node:assert/strict";
import { HandlerError, silentLogger, systemClock, TestClock } from "../base/mod.ts";
import { openDatabase } from "../platform/mod.ts";
import type { CallRecord } from "./calls.ts";
import { openStore } from "./mod.ts";

const memory = (clock = new TestClock()) => openStore({ path: ":memory:", clock, log: silentLogger });

function call(change: Partial<CallRecord> = {}): CallRecord {
  return {
    id: crypto.randomUUID(),
    startedAt: 1_700_000_000_000,
    caller: "agent:clerk",
    session: null,
    interfaceId: "ocr/v1",
    interfaceHash: "aa",
    tool: "ocr_extract",
    binding: "scans",
    connector: "ocr-tesseract",
    connectorHash: "bb",
    queueMs: 0.5,
    startMs: 0,
    upstreamMs: 12,
    validateMs: 0.25,
    totalMs: 13,
    bytesIn: 100,
    bytesOut: 2000,
    units: { pages: 2 },
    hosts: ["api.example.com:443"],
    error: null,
    detail: null,
    traceId: null,
    ...change,
  };
}

Deno.test("a call comes back as it was given", async () => {
  using store = await memory();
  const given = call({
    error: "unavailable",
    detail: "property pages: missing",
    session: "s1",
    traceId: "t",
  });
  store.calls.insert(given);
  assert.deepEqual(store.calls.query({}), [given]);
});

Deno.test("calls are written together after a moment, and at the close", async () => {
  const folder = await Deno.makeTempDir();
  const clock = new TestClock();
  const path = `${folder}/state/handler.db`;
  const store = await openStore({ path, clock, log: silentLogger });
  const stored = () => {
    using db = openDatabase(path);
    return db.get("SELECT count(*) AS n FROM calls")?.n;
  };
  store.calls.insert(call());
  store.calls.insert(call());
  assert.equal(stored(), 0);
  clock.tick(110);
  assert.equal(stored(), 2);
  store.calls.insert(call());
  store.close();
  store.close();
  assert.equal(stored(), 3);
  store.calls.insert(call());
  assert.equal(stored(), 3);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("filters join with and, the newest call comes first, the limit holds", async () => {
  using store = await memory();
  const seed: Partial<CallRecord>[] = [
    { id: "1", startedAt: 1000 },
    { id: "2", startedAt: 2000, caller: "check", error: "limit" },
    { id: "3", startedAt: 3000, interfaceId: "ocr/v2", binding: "other" },
    { id: "4", startedAt: 4000, interfaceId: "ocrx/v1", session: "s" },
  ];
  for (const change of seed) store.calls.insert(call(change));
  const ids = (filter: Parameters<typeof store.calls.query>[0]) =>
    store.calls.query(filter).map(({ id }) => id);
  assert.deepEqual(ids({}), ["4", "3", "2", "1"]);
  assert.deepEqual(ids({ limit: 2 }), ["4", "3"]);
  assert.deepEqual(ids({ interfaceId: "ocr" }), ["3", "2", "1"]);
  assert.deepEqual(ids({ interfaceId: "ocr/v1", since: 1500 }), ["2"]);
  assert.deepEqual(ids({ error: true }), ["2"]);
  assert.deepEqual(ids({ error: "limit" }), ["2"]);
  assert.deepEqual(ids({ error: false, binding: "scans" }), ["4", "1"]);
  assert.deepEqual(ids({ caller: "check' OR 1 --" }), []);
  assert.deepEqual([store.calls.count("s"), store.calls.count("s", "ocr/v1")], [1, 0]);
});

Deno.test("a call that was refused before a binding had it does not count for its session", async () => {
  using store = await memory();
  store.calls.insert(call({ session: "s" }));
  store.calls.insert(call({ session: "s", binding: "", error: "limit" }));
  store.calls.insert(call({ session: "s", error: "unavailable" }));
  assert.equal(store.calls.count("s"), 2);
});

Deno.test("one broken record does not hold back the others", async () => {
  using store = await memory();
  store.calls.insert(call({ id: "twice" }));
  store.calls.insert(call({ id: "twice" }));
  store.calls.insert(call({ id: "after" }));
  assert.deepEqual(store.calls.query({}).map(({ id }) => id), ["after", "twice"]);
});

Deno.test("a result proves only the hashes it was made with, and only the latest counts", async () => {
  using store = await memory();
  const subject = {
    connector: "ocr-tesseract",
    connectorHash: "c1",
    binding: "scans",
    bindingHash: "b1",
    interfaceId: "ocr/v1",
    interfaceHash: "i1",
  };
  const result = { ...subject, ranAt: 5, passed: true, cases: [] };
  assert.equal(store.conformance.proven(subject), false);
  store.conformance.save(result);
  assert.equal(store.conformance.proven(subject), true);
  for (const changed of [{ connectorHash: "c2" }, { bindingHash: "b2" }, { interfaceHash: "i2" }]) {
    assert.equal(store.conformance.proven({ ...subject, ...changed }), false);
  }
  const failed = {
    ...result,
    ranAt: 6,
    passed: false,
    cases: [{ name: "empty page", passed: false, detail: "items: 2 found, at most 0", durationMs: 3 }],
  };
  store.conformance.save(failed);
  assert.equal(store.conformance.proven(subject), false);
  assert.deepEqual(store.conformance.latest("ocr-tesseract"), [failed]);
  assert.deepEqual(store.conformance.latest("other"), []);
});

Deno.test("trust is bound to a kind, a name and a hash", async () => {
  using store = await memory();
  store.trust.pin("interface", "notes/v1", "h1");
  assert.equal(store.trust.isTrusted("interface", "notes/v1", "h1"), true);
  assert.equal(store.trust.isTrusted("connector", "notes/v1", "h1"), false);
  store.trust.pin("interface", "notes/v1", "h2");
  assert.equal(store.trust.isTrusted("interface", "notes/v1", "h1"), false);
  assert.deepEqual(store.trust.list().map(({ hash, pinnedAt }) => [hash, pinnedAt]), [[
    "h2",
    1_700_000_000_000,
  ]]);
  assert.equal(store.trust.remove("interface", "notes/v1"), true);
  assert.equal(store.trust.remove("interface", "notes/v1"), false);
});

Deno.test("a session is updated in place and counts its calls", async () => {
  using store = await memory();
  const session = {
    id: "s1",
    agent: "clerk",
    project: "books",
    state: "starting" as const,
    startedAt: 10,
    endedAt: null,
    exitCode: null,
    reason: null,
    driver: null,
    sandbox: null,
    handle: null,
    logPath: "/logs/s1.log",
    calls: 0,
    context: { services: { ocr: ["scans"] } },
  };
  store.sessions.insert(session);
  store.sessions.update("s1", { state: "running", driver: "bubblewrap", handle: "12", sandbox: "agent-s1" });
  store.calls.insert(call({ session: "s1" }));
  store.calls.insert(call({ session: "s1" }));
  const now = {
    ...session,
    state: "running",
    driver: "bubblewrap",
    handle: "12",
    sandbox: "agent-s1",
    calls: 2,
  };
  assert.deepEqual(store.sessions.get("s1"), now);
  assert.deepEqual(store.sessions.list({ states: ["running", "starting"] }), [now]);
  assert.deepEqual(store.sessions.list({ states: ["exited"] }), []);
  store.sessions.update("s1", { state: "exited", exitCode: 0, endedAt: 20 });
  assert.equal(store.sessions.get("s1")?.exitCode, 0);
  store.sessions.remove("s1");
  assert.equal(store.sessions.get("s1"), undefined);
});

Deno.test("connections are kept with what is known of them", async () => {
  using store = await memory();
  const dialled = {
    sandbox: "connector-a",
    host: "api.example.com",
    port: 443,
    address: "203.0.113.7",
    startedAt: 5,
    durationMs: 1.5,
    sentBytes: 10,
    receivedBytes: 20,
  };
  const refused = {
    ...dialled,
    host: "metadata",
    error: "the address is private",
    sentBytes: 0,
    receivedBytes: 0,
  };
  const { address: _, ...withoutAddress } = refused;
  store.egress.insert(dialled);
  store.egress.insert(withoutAddress);
  assert.deepEqual(store.egress.query({}), [withoutAddress, dialled]);
  assert.deepEqual(store.egress.query({ host: "api.example.com", sandbox: "connector-a", since: 5 }), [
    dialled,
  ]);
});

Deno.test("a file that is no database is refused in words and left alone", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/handler.db`;
  await Deno.writeTextFile(path, "these are notes, not a database; ".repeat(40));
  await assert.rejects(
    openStore({ path, clock: systemClock, log: silentLogger }),
    (error) =>
      error instanceof HandlerError && error.kind === "unavailable" && /not a SQLite/.test(error.message),
  );
  assert.match(await Deno.readTextFile(path), /^these are notes/);
  await Deno.remove(folder, { recursive: true });
});
