/** `docs/getting-started.md`, command by command in a fresh home with a real daemon and real sandboxes. */
import assert from "node:assert/strict";
import { ROOT } from "../../tools/repository.ts";
import { startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import { type Step, stepsOf } from "./page.ts";
import { driversHere, Walk } from "./walk.ts";

const KEY = "a key of the vendor";

Deno.test("docs/getting-started.md leads from nothing to an agent that reads a scan", async () => {
  const answers = await fixtureAnswers(`${ROOT}/interfaces/ocr/v1/conformance`);
  const vendor = await startFakeMistral({ key: KEY, answers });
  const model = await startFakeOpenAiChat({ key: "", models: ["small"] });
  await using walk = await Walk.begin({
    driver: (await driversHere())[0]!,
    instead: { "pass show mistral/ocr": `printf '%s' '${KEY}'`, "http://127.0.0.1:8080": model.origin },
    config: [
      `denoDriverFor = ["clerk", "look", "asker"]`,
      `[egress]`,
      `caFile = "~/authority.pem"`,
      `dial = { "api.mistral.ai:443" = "127.0.0.1:${vendor.port}" }`,
    ].join("\n"),
  });
  try {
    await walk.write("authority.pem", vendor.caPem);
    const steps = await stepsOf("getting-started.md");
    const installing = steps.filter((step) => step.kind === "command" && step.where === "clone");
    for (const step of installing) await walk.follow(step, String);
    await walk.startDaemon();
    for (const step of steps.filter((one) => !installing.includes(one))) await follow(walk, step);
    assert.equal(vendor.asked.length, 1);
    assert.equal(model.asked.length, 1);
  } finally {
    await vendor.close();
    await model.close();
  }
});

/** After a client was set up, what stands in its settings must work before the page takes it away again. */
async function follow(walk: Walk, step: Step): Promise<void> {
  await walk.follow(step, String);
  if (step.kind === "command" && step.line.endsWith("--write")) await useAsClient(walk);
}

async function useAsClient(walk: Walk): Promise<void> {
  const { mcpServers } = JSON.parse(await Deno.readTextFile(`${walk.home}/.claude.json`));
  const { command, args, env } = mcpServers["handler-ocr"];
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const call = { name: "ocr_extract", arguments: { path: "invoice.pdf" } };
  const input = [["initialize", client], ["tools/call", call]].map(([method, params], id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n"
  );
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`).join(" ");
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  await walk.write("asked.jsonl", input.join(""));
  const { stdout, stderr } = await walk.shell(`${variables} ${words} < asked.jsonl`);
  assert.match(stdout, /1,084\.85/, stderr);
}
