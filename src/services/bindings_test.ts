import assert from "node:assert/strict";
import type { BindingConfig } from "../config/mod.ts";
import { bindingHash, checkBinding, checkImplements } from "./bindings.ts";
import type { Connector } from "./connector.ts";

const WORDS: Connector = {
  name: "words-web",
  description: "",
  folder: "/connectors/words-web",
  implements: ["words/v1"],
  egress: ["words.example.com:443"],
  secretSlots: {
    api_key: { env: "WORDS_KEY", required: true, description: "from the account page" },
    second: { env: "WORDS_SECOND", required: false, description: "" },
  },
  settings: {
    server: { env: "WORDS_URL", required: false, description: "", type: "url", default: undefined },
    model: { env: "WORDS_MODEL", required: true, description: "", type: "text", default: "small" },
    region: {
      env: "WORDS_REGION",
      required: true,
      description: "two letters",
      type: "text",
      default: undefined,
    },
  },
  runtime: { kind: "deno", entry: "main.ts" },
  tools: {},
  resources: { memoryBytes: 1, pids: 1, cpus: undefined },
  hash: "h",
  origin: "shipped",
};
const CONNECTORS = new Map([[WORDS.name, WORDS]]);

function binding(change: Partial<BindingConfig> = {}): BindingConfig {
  return {
    name: "words-mine",
    file: "/config/bindings/words-mine.toml",
    uses: { kind: "connector", name: "words-web" },
    description: "mine",
    secrets: { api_key: { kind: "store", name: "words" } },
    settings: { region: "eu" },
    prices: {},
    ...change,
  };
}

async function problems(change: Partial<BindingConfig>): Promise<string[]> {
  const check = await checkBinding(binding(change), CONNECTORS);
  assert.equal(check.ok, false);
  return check.ok
    ? []
    : check.problems.map((one) => `${one.where?.key}: ${one.message}${one.hint ? ` (${one.hint})` : ""}`);
}

Deno.test("a sound binding gives variables, secrets and egress", async () => {
  const check = await checkBinding(
    binding({ settings: { region: "eu", server: "http://localhost:8080/v1" } }),
    CONNECTORS,
  );
  assert.ok(check.ok);
  assert.deepEqual(check.binding.env, {
    WORDS_URL: "http://localhost:8080/v1",
    WORDS_MODEL: "small",
    WORDS_REGION: "eu",
  });
  assert.deepEqual(check.binding.secrets, {
    WORDS_KEY: { slot: "api_key", reference: { kind: "store", name: "words" } },
  });
  assert.deepEqual(check.binding.egress, [
    { host: "words.example.com", port: 443, namedLocal: false },
    { host: "localhost", port: 8080, namedLocal: true },
  ]);
});

Deno.test("a URL setting that names the connector's own host adds nothing", async () => {
  const check = await checkBinding(
    binding({ settings: { region: "eu", server: "https://words.example.com/" } }),
    CONNECTORS,
  );
  assert.ok(check.ok);
  assert.equal(check.binding.egress.length, 1);
});

Deno.test("everything that is wrong is told at once, with its key", async () => {
  assert.deepEqual(
    await problems({
      secrets: { api_kye: { kind: "store", name: "x" } },
      settings: { modle: "x", server: "ftp://x" },
    }),
    [
      "secrets.api_key: the connector words-web requires the secret slot api_key " +
      '(from the account page; fill it with a reference, such as secrets = { api_key = { store = "words-mine" } })',
      'secrets.api_kye: the connector words-web has no secret slot "api_kye" (did you mean "api_key"?)',
      "settings.region: the connector words-web requires the setting region (two letters)",
      'settings.modle: the connector words-web has no setting "modle" (did you mean "model"?)',
      'settings.server: the setting must be an http or https URL, found "ftp://x"',
    ],
  );
});

Deno.test("a URL with a password is refused and not repeated", async () => {
  const found = await problems({ settings: { region: "eu", server: "https://me:canary@words.example.com" } });
  assert.equal(found.length, 1);
  assert.match(found[0]!, /no user name or password: use a secret slot/);
  assert.doesNotMatch(found[0]!, /canary/);
});

Deno.test("control characters in a setting are refused", async () => {
  assert.match((await problems({ settings: { region: "e\nu" } }))[0]!, /no control characters/);
});

Deno.test("a connector that is not there, and an addon", async () => {
  assert.deepEqual(await problems({ uses: { kind: "connector", name: "word-web" } }), [
    'connector: a binding names a connector that is there, found "word-web" (did you mean "words-web"?)',
  ]);
  assert.match(
    (await problems({ uses: { kind: "addon", name: "x" } }))[0]!,
    /a service needs a binding of a connector/,
  );
});

Deno.test("names that objects inherit are unknown names", async () => {
  assert.match(
    (await problems({ settings: { region: "eu", constructor: "x" } }))[0]!,
    /has no setting "constructor"/,
  );
});

Deno.test("the hash is of what the binding says, whatever it is called and in whatever order", async () => {
  const one = await bindingHash(binding({ settings: { a: "1", b: "2" } }));
  assert.equal(
    await bindingHash(binding({ name: "other", description: "x", settings: { b: "2", a: "1" } })),
    one,
  );
  assert.notEqual(await bindingHash(binding({ settings: { a: "1", b: "3" } })), one);
});

Deno.test("a binding fits an interface that its connector implements", async () => {
  const check = await checkBinding(binding(), CONNECTORS);
  assert.ok(check.ok);
  assert.equal(checkImplements(check.binding, "words/v1"), undefined);
  assert.match(
    checkImplements(check.binding, "words/v2")!.message,
    /must implement words\/v2, its connector words-web implements words\/v1/,
  );
});
