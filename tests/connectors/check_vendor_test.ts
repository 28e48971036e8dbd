import assert from "node:assert/strict";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { startFakeMcpHttp } from "../fakes/mcp_http.ts";
import { startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { startFakeOpenAiChat } from "../fakes/openai_chat.ts";
import { ROOT } from "../../tools/repository.ts";
import { checkConnector, type CheckSetup, failures } from "./check_support.ts";

const KEY = "check-key-31fe";
const DRIVERS = ["bubblewrap", "deno"] as const;

type Vendor = Pick<CheckSetup, "settings" | "secrets" | "dial" | "caPem">;

const NO_VENDOR: Vendor = { settings: {}, secrets: {}, dial: {}, caPem: "" };

for (const driver of DRIVERS) {
  Deno.test(`check under ${driver}: ocr-mistral passes every case of ocr/v1, over TLS through its one egress socket`, async () => {
    const fake = await startFakeMistral({
      key: KEY,
      answers: await fixtureAnswers(`${ROOT}/interfaces/ocr/v1/conformance`),
    });
    const checked = await checkConnector({
      ...NO_VENDOR,
      driver,
      connector: "ocr-mistral",
      userConnectors: "",
      secrets: { api_key: KEY },
      dial: { "api.mistral.ai:443": `127.0.0.1:${fake.port}` },
      caPem: fake.caPem,
    });
    await fake.close();
    assert.deepEqual(failures(checked), []);
    assert.ok(checked.reports[0]?.passed);
    assert.deepEqual(
      new Set(checked.egress.map(({ host, port }) => `${host}:${port}`)),
      new Set(["api.mistral.ai:443"]),
    );
    assert.doesNotMatch(JSON.stringify(checked), new RegExp(KEY));
    assert.ok(checked.records.some(({ units }) => units["pages"] === 3));
  });

  Deno.test(`check under ${driver}: llm-openai passes every case of llm/v1`, async () => {
    const fake = await startFakeOpenAiChat({ key: KEY, models: ["m-1"] });
    fake.behave({ kind: "model" });
    const settings = { endpoint: `${fake.origin}/v1` };
    const secrets = { api_key: KEY };
    const vendor = { ...NO_VENDOR, settings, secrets, userConnectors: "" };
    const checked = await checkConnector({ ...vendor, driver, connector: "llm-openai" });
    await fake.close();
    assert.deepEqual(failures(checked), []);
    assert.ok(checked.records.some(({ units }) => units["outputTokens"] === 7));
  });

  Deno.test(`check under ${driver}: llm-anthropic passes every case of llm/v1`, async () => {
    const fake = await startFakeAnthropic({ key: KEY });
    fake.behave({ kind: "model" });
    const settings = { endpoint: fake.origin, model: "claude-test-1" };
    const secrets = { api_key: KEY };
    const vendor = { ...NO_VENDOR, settings, secrets, userConnectors: "" };
    const checked = await checkConnector({ ...vendor, driver, connector: "llm-anthropic" });
    await fake.close();
    assert.deepEqual(failures(checked), []);
  });
}

Deno.test("check under bubblewrap: a wrapped address is reached through egress, and fails where it does not fit", async () => {
  const remote = startFakeMcpHttp({ port: 0, token: "t-9" });
  const checked = await checkConnector({
    ...NO_VENDOR,
    driver: "bubblewrap",
    connector: "wrap-remote",
    userConnectors: `${ROOT}/tests/connectors/fixtures`,
    settings: { address: remote.url },
    secrets: { token: "t-9" },
  });
  await remote.close();
  assert.ok(checked.egress.some(({ host, port }) => host === "127.0.0.1" && port === remote.port));
  const passed = checked.reports[0]?.cases.filter((one) => one.passed).map(({ name }) => name) ?? [];
  assert.ok(passed.includes("rejects a file over the limit"));
  assert.ok(!passed.includes("rejects a zip"), "a reader of text knows no zip");
});

Deno.test("check under bubblewrap: a wrapped command runs inside the sandbox, with its Deno and no network", async () => {
  const folder = await Deno.makeTempDir({ prefix: "handler-wrap-" });
  await bundleWrapped(folder);
  const checked = await checkConnector({
    ...NO_VENDOR,
    driver: "bubblewrap",
    connector: "wrap-documents",
    userConnectors: folder,
  });
  await Deno.remove(folder, { recursive: true });
  const [first] = checked.reports[0]?.cases ?? [];
  assert.equal(first?.error, null, `the call is answered: ${checked.logs.join()}`);
  assert.deepEqual(checked.egress, []);
});

/** The fixture as a person would install it: its server as one file, started by the sandbox's own Deno. */
async function bundleWrapped(folder: string): Promise<void> {
  const from = `${ROOT}/tests/connectors/fixtures/wrap-documents`;
  const to = `${folder}/wrap-documents`;
  await Deno.mkdir(to);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "-q", `--config=${ROOT}/deno.json`, `--output=${to}/server.js`, `${from}/server.ts`],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  const manifest = await Deno.readTextFile(`${from}/connector.toml`);
  const command = '["deno", "run", "-A", "--no-config", "/opt/handler/connector/server.js"]';
  await Deno.writeTextFile(`${to}/connector.toml`, manifest.replace('["deno", "run", "server.ts"]', command));
}
