import assert from "node:assert/strict";
import type { Connector } from "./connector.ts";
import type { Interface } from "./interface.ts";
import { describeForTrust, trust, trustedOnly, type TrustStore } from "./trust.ts";

const NOTES = {
  name: "notes",
  id: "notes/v1",
  version: 1,
  description: "Keep notes",
  folder: "/home/me/interfaces/notes/v1",
  errors: { unavailable: "down" },
  tools: [],
  toolsText: "[ the tools ]",
  skill: "the whole skill",
  hash: "h1",
  origin: "user",
} as unknown as Interface;

const CONNECTOR = {
  name: "notes-web",
  description: "Notes on the web",
  folder: "/home/me/connectors/notes-web",
  implements: ["notes/v1"],
  egress: ["notes.example.com:443"],
  secretSlots: { api_key: { env: "KEY", required: true, description: "" } },
  settings: { server: { env: "URL", required: false, description: "", type: "url", default: undefined } },
  runtime: { kind: "deno", entry: "main.ts" },
  tools: {},
  resources: { memoryBytes: 512 * 2 ** 20, pids: 256, cpus: undefined },
  hash: "h2",
  origin: "user",
} as const satisfies Connector;

function memoryStore(): TrustStore {
  const pins = new Map<string, string>();
  return {
    isTrusted: (kind, name, hash) => pins.get(`${kind} ${name}`) === hash,
    pin: (kind, name, hash) => pins.set(`${kind} ${name}`, hash),
  };
}

Deno.test("the person's own count once trusted, shipped ones always", () => {
  const store = memoryStore();
  const all = new Map([["notes/v1", NOTES], ["ocr/v1", {
    ...NOTES,
    id: "ocr/v1",
    origin: "shipped" as const,
  }]]);
  const before = trustedOnly(all, store);
  assert.deepEqual([...before.trusted.keys()], ["ocr/v1"]);
  assert.deepEqual(before.untrusted, [
    { kind: "interface", name: "notes/v1", hash: "h1", folder: NOTES.folder },
  ]);
  trust(NOTES, "h1", store);
  assert.deepEqual([...trustedOnly(all, store).trusted.keys()], ["notes/v1", "ocr/v1"]);
});

Deno.test("a changed hash asks again", () => {
  const store = memoryStore();
  trust(NOTES, "h1", store);
  const changed = new Map([["notes/v1", { ...NOTES, hash: "h9" }]]);
  assert.equal(trustedOnly(changed, store).untrusted[0]?.hash, "h9");
});

Deno.test("an interface and a connector of one name are trusted apart", () => {
  const store = memoryStore();
  trust({ ...CONNECTOR, name: "notes/v1", hash: "h1" }, "h1", store);
  assert.equal(trustedOnly(new Map([["notes/v1", NOTES]]), store).trusted.size, 0);
});

Deno.test("what changed after it was shown is not pinned", () => {
  const store = memoryStore();
  assert.throws(() => trust({ ...NOTES, hash: "h9" }, "h1", store), { kind: "conflict" });
  assert.equal(store.isTrusted("interface", "notes/v1", "h9"), false);
});

Deno.test("an interface is shown whole, as the model will read it", () => {
  const texts = describeForTrust(NOTES).sections.map(({ text }) => text);
  assert.deepEqual(texts, ["Keep notes", "[ the tools ]", "the whole skill", "unavailable: down"]);
});

Deno.test("a connector is shown by what it may reach and take", () => {
  const { sections, hash } = describeForTrust(CONNECTOR);
  assert.equal(hash, "h2");
  const text = (title: string) => sections.find((section) => section.title === title)?.text;
  assert.equal(text("May reach"), "notes.example.com:443, the address that a binding sets as server");
  assert.equal(text("Takes the secrets"), "api_key");
  assert.equal(text("Runs"), "main.ts with Deno");
});
