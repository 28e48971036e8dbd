import assert from "node:assert/strict";
import { type JsonObject, systemClock } from "../../base/mod.ts";
import { fromFileUrl } from "../../platform/mod.ts";
import { loadInterfaces } from "../interfaces.ts";
import { loadCases } from "./cases.ts";
import type { Answer } from "./expectation.ts";
import { toStored } from "./report.ts";
import { runConformance } from "./run.ts";

const { interfaces } = await loadInterfaces({
  shippedFolder: fromFileUrl(new URL("../../../tests/fixtures/interfaces", import.meta.url)),
  userFolder: undefined,
});
const WORDS = interfaces.get("words/v1")!;

/** Answers as a perfect router and connector would, out of the check's own folder. */
function goodCall(scope: string) {
  return async (tool: string, input: JsonObject): Promise<Answer> => {
    const bytes = await Deno.readFile(`${scope}/${input.path}`);
    if (bytes.length > WORDS.limits.maxFileBytes) return failure("too_large", "the file is too large");
    if (bytes.includes(0)) return failure("not_text", "the file holds bytes that are no text");
    const words = new TextDecoder().decode(bytes).split(/\s+/).filter(Boolean);
    if (tool === "words_count") return { kind: "result", value: { words } };
    await Deno.writeTextFile(`${scope}/${input.output}`, words.join("\n"));
    return { kind: "result", value: { count: words.length } };
  };
}

function failure(code: string, message: string, detail?: string): Answer {
  return { kind: "error", code, message, detail, connectorAtFault: detail !== undefined };
}

async function check(
  change: (call: ReturnType<typeof goodCall>) => ReturnType<typeof goodCall> = (call) => call,
) {
  const scope = await Deno.makeTempDir();
  const seen: string[] = [];
  const report = await runConformance({
    connector: { name: "words-web", hash: "c" },
    binding: { name: "words-mine", hash: "b" },
    definition: WORDS,
    cases: await loadCases(WORDS),
  }, {
    clock: systemClock,
    scope,
    call: change(goodCall(scope)),
    onCase: ({ name }) => seen.push(name),
    signal: new AbortController().signal,
  });
  return { report, scope, seen };
}

const failing = (
  report: { cases: readonly { name: string; passed: boolean; findings: readonly unknown[] }[] },
) => report.cases.filter(({ passed }) => !passed).map(({ name, findings }) => [name, findings]);

Deno.test("a good connector passes every case, in the order of the file", async () => {
  const { report, seen, scope } = await check();
  assert.deepEqual(failing(report), []);
  assert.equal(report.passed, true);
  assert.deepEqual(seen, report.cases.map(({ name }) => name));
  assert.equal(report.cases.length, 5);
  assert.deepEqual(report.unprovoked.map(({ error }) => error), ["unavailable"]);
  const left = Array.from(Deno.readDirSync(scope), ({ name }) => name).sort();
  assert.deepEqual(left, ["bytes.bin", "empty.txt", "lists", "three.txt"]);
});

Deno.test("the report is bound to hashes and keeps the codes", async () => {
  const { report } = await check();
  const { cases, ranAt, durationMs, ...bound } = report;
  assert.ok(ranAt > 0 && durationMs >= 0);
  assert.deepEqual(bound, {
    schema: 1,
    connector: "words-web",
    connectorHash: "c",
    binding: "words-mine",
    bindingHash: "b",
    interfaceId: "words/v1",
    interfaceHash: WORDS.hash,
    passed: true,
    unprovoked: [{ error: "unavailable", why: "the check must not take a service down" }],
    unmet: [],
  });
  assert.deepEqual(cases.map(({ error }) => error), [null, null, null, "not_text", "too_large"]);
});

Deno.test("a wrong code, a missing file and a blamed connector are findings", async () => {
  const { report } = await check((call) => async (tool, input) => {
    if (tool === "words_list") return { kind: "result", value: { count: 3 } };
    const answer = await call(tool, input);
    if (answer.kind !== "error") return answer;
    return answer.code === "not_text"
      ? failure("unavailable", "down", "an undeclared error code")
      : failure("too_large", "see /var/lib/words/large.txt");
  });
  assert.equal(report.passed, false);
  assert.deepEqual(failing(report), [
    ["writes a list", [
      { at: "expect.output.mediaType", message: "no such output file was written" },
      { at: "expect.output.minBytes", message: "no such output file was written" },
    ]],
    ["refuses what is no text", [
      { at: "expect.error", message: "the call must fail with not_text, it failed with unavailable" },
      { at: "connector", message: "the router blames the connector: an undeclared error code" },
    ]],
    ["refuses a large file", [
      { at: "error.message", message: "the error's message holds a path of the connector's machine" },
      { at: "error.message", message: "the error's message repeats a text of the input" },
    ]],
  ]);
  assert.equal(
    toStored(report).cases[3]?.detail,
    "expect.error: the call must fail with not_text, it failed with unavailable; " +
      "connector: the router blames the connector: an undeclared error code",
  );
});

Deno.test("a call that breaks is a finding of its case and the next ones still run", async () => {
  const { report } = await check((call) => (tool, input) =>
    input.path === "empty.txt" ? Promise.reject(new Error("the connection was lost")) : call(tool, input)
  );
  assert.deepEqual(failing(report), [
    ["no words in an empty file", [{ at: "call", message: "no answer: the connection was lost" }]],
  ]);
});

Deno.test("a check that is called off ends", async () => {
  const stop = new AbortController();
  const scope = await Deno.makeTempDir();
  const run = runConformance({
    connector: { name: "x", hash: "" },
    binding: { name: "x", hash: "" },
    definition: WORDS,
    cases: await loadCases(WORDS),
  }, {
    clock: systemClock,
    scope,
    call: goodCall(scope),
    onCase: () => stop.abort(new Error("called off")),
    signal: stop.signal,
  });
  await assert.rejects(run, /called off/);
});
