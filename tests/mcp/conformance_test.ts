/**
 * The official conformance suite of MCP against the router's own MCP. It speaks HTTP alone, so a front stands before the
 * caller's socket and passes every message on as it is.
 */
import assert from "node:assert/strict";
import { fromFileUrl } from "../../src/platform/mod.ts";
import { startMcpHome } from "./home.ts";
import { startHttpFront } from "./http_front.ts";

const TOOL = "npm:@modelcontextprotocol/conformance@0.1.16";
const FOLDER = fromFileUrl(new URL(".", import.meta.url));

const NO_OTHER_CONTENT =
  "a tool of an interface gives JSON that its schema describes, and no image, sound or resource";
const ASKS_NOTHING =
  "the router asks nothing of its clients and logs nothing to them: a model reads what its interface says";
const NO_RESOURCES = "an interface has tools alone; files go through the work folder";
const NO_PROMPTS = "an interface has tools alone; what a prompt would say is in its skill";

/** The scenarios that are about what the router does not offer, each with the reason. Every other one must pass. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "logging-set-level": ASKS_NOTHING,
  "completion-complete": "only prompts and resources have arguments to complete",
  "tools-call-image": NO_OTHER_CONTENT,
  "tools-call-audio": NO_OTHER_CONTENT,
  "tools-call-embedded-resource": NO_OTHER_CONTENT,
  "tools-call-mixed-content": NO_OTHER_CONTENT,
  "tools-call-with-logging": ASKS_NOTHING,
  "tools-call-sampling": ASKS_NOTHING,
  "tools-call-elicitation": ASKS_NOTHING,
  "elicitation-sep1034-defaults": ASKS_NOTHING,
  "elicitation-sep1330-enums": ASKS_NOTHING,
  "json-schema-2020-12":
    "its tool does not begin with the name of this interface; it is run on one of its own below",
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
};

/** The scenarios that the tool ran, each with whether it passed, and everything that it printed. */
async function run(
  url: string,
  ...more: readonly string[]
): Promise<{ passed: Map<string, boolean>; text: string }> {
  const config = [
    `--config=${FOLDER}conformance.deno.json`,
    `--lock=${FOLDER}conformance.deno.lock`,
    "--frozen",
  ];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", ...config, TOOL, "server", "--url", url, ...more],
    cwd: FOLDER,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  const lines = [...text.matchAll(/^([✓✗]) ([\w-]+): \d+ passed, \d+ failed/gm)];
  return { passed: new Map(lines.map(([, mark, name]) => [name!, mark === "✓"])), text };
}

Deno.test("the router passes all that applies of the official conformance suite", async () => {
  await using home = await startMcpHome();
  const { folder } = await home.client.externalServices("desk");
  const front = startHttpFront(`${folder}/test.sock`);
  try {
    const { passed, text } = await run(front.url, "--suite", "all");
    assert.ok(passed.size >= 32, text);
    const failed = [...passed].filter(([, good]) => !good).map(([name]) => name);
    assert.deepEqual(failed.filter((name) => !(name in NOT_APPLICABLE)), [], text);
    const gone = Object.keys(NOT_APPLICABLE).filter((name) => passed.get(name) !== false);
    assert.deepEqual(gone, [], "what applies by now is not to be excused");
    const applies = [...passed.keys()].filter((name) => !(name in NOT_APPLICABLE));
    assert.deepEqual(applies, [
      "server-initialize",
      "ping",
      "tools-list",
      "tools-call-simple-text",
      "tools-call-error",
      "tools-call-with-progress",
      "server-sse-polling",
      "server-sse-multiple-streams",
      "dns-rebinding-protection",
    ]);
  } finally {
    await front.close();
  }
});

Deno.test("keywords of JSON Schema 2020-12 stand in the listing as they were written", async () => {
  await using home = await startMcpHome();
  const { folder } = await home.client.externalServices("desk");
  const front = startHttpFront(`${folder}/json.sock`);
  try {
    const { text } = await run(front.url, "--scenario", "json-schema-2020-12");
    assert.match(text, /Passed: 4\/4/, text);
  } finally {
    await front.close();
  }
});
