/**
 * Reads what `demo --once --json` printed and says whether the main job was really done:
 *
 *     deno run -A tools/check_demo.ts <file>
 * @module
 */
import { isObject } from "../src/base/mod.ts";
import { readText } from "../src/platform/mod.ts";

/** The amount on the scanned invoice, as its truth has it. */
const AMOUNT = "1,084.85";

/** What is wrong with the demo's story; nothing where all of it held. */
export function demoProblems(story: unknown): readonly string[] {
  if (!isObject(story) || story.ok !== true || !Array.isArray(story.steps)) {
    return ["the demo did not end well"];
  }
  const steps: readonly unknown[] = story.steps;
  const data = (words: string): unknown => {
    const found = steps.find((step) => isObject(step) && String(step.name).includes(words));
    return isObject(found) ? found.data : undefined;
  };
  const reading = data("reads a scanned invoice");
  const swapped = data("one value changes");
  const relay = data("handler thread send");
  const claims: readonly (readonly [claim: string, holds: boolean])[] = [
    ["handler-service gives the invoice's total", textOf(at(reading, "mcp")).includes(AMOUNT)],
    ["handler-call gives the invoice's total", textOf(at(reading, "script")).includes(AMOUNT)],
    ["the agent has no secret", isEmptyList(at(reading, "secrets"))],
    ["the agent has no network", String(at(reading, "network")).startsWith("refused")],
    [
      "the agent is served the same bytes after the swap",
      sameBytes(at(at(reading, "mcp"), "served"), at(swapped, "served")),
    ],
    ["the vendor was called", Number(at(swapped, "vendorCalls")) > 0],
    ["calls of both bindings are on record", bindingsIn(data("call records")).length >= 2],
    ["the connector passes its check", at(data("connector check"), "passed") === true],
    ["the app's migration was rehearsed", textIn(at(data("schema change"), "rehearsal")).includes('"tags"')],
    [
      "the roll-back told what it loses",
      textIn(at(at(data("app rollback"), "plan"), "lostRows")).includes("notes"),
    ],
    ["the relay's answer came back", String(at(relay, "answer") ?? "").trim() !== ""],
    ["the outer thread asked no model", at(relay, "outer") === 0 && Number(at(relay, "inner")) > 0],
    [
      "the answer was a turn of its own",
      textIn(at(relay, "turns")) === '["handler relay_pipe","prompt assistant","handler deliver"]',
    ],
    ["the secret is nowhere", isEmptyList(at(data("secret is searched for"), "found"))],
  ];
  return claims.filter(([, holds]) => !holds).map(([claim]) => `does not hold: ${claim}`);
}

function at(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function textIn(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

function textOf(value: unknown): string {
  return String(at(value, "text"));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function sameBytes(before: unknown, after: unknown): boolean {
  return typeof before === "string" && /^[0-9a-f]{64}$/.test(before) && before === after;
}

function bindingsIn(records: unknown): readonly string[] {
  if (!Array.isArray(records)) return [];
  return [
    ...new Set(records.map((record) => String(at(record, "binding"))).filter((name) => /^ocr-/.test(name))),
  ];
}

if (import.meta.main) {
  const problems = demoProblems(JSON.parse(await readText(Deno.args[0] ?? "/dev/stdin")));
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log("the demo's main job holds");
  Deno.exit(problems.length === 0 ? 0 : 1);
}
