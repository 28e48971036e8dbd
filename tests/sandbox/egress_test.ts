import assert from "node:assert/strict";
import { join } from "node:path";
import { makeCertificates } from "../fakes/tls.ts";
import { denoProgram, type Home, makeSpec, onDriver } from "./support.ts";
import type { EgressRule, SandboxSpec } from "../../src/sandbox/mod.ts";

/** What the program inside asks, one line an answer: status and text, or the error. */
const ASK = `for (const url of Deno.args) {
  try {
    const response = await fetch(url, url.includes("echo") ? { method: "POST", body: "x".repeat(100_000) } : {});
    console.log(url, response.status, (await response.text()).slice(0, 40));
  } catch (error) { console.log(url, "failed", error.cause?.message ?? error.message); }
}`;

async function ask(
  home: Home,
  driver: SandboxSpec["labels"][string],
  urls: readonly string[],
  egress: readonly EgressRule[],
): Promise<string> {
  const made = await denoProgram(home.folder, ASK);
  const program = { ...made.program, args: urls } as SandboxSpec["program"];
  const sandbox = await home.sandboxes.driver(driver as "deno").start(makeSpec({ ...made, program, egress }));
  await sandbox.exited;
  return sandbox.log();
}

const rule = (host: string, port: number, namedLocal = false): EgressRule => ({ host, port, namedLocal });
const identity = await makeCertificates(["api.example.com", "eu.example.org"]);
const folder = await Deno.makeTempDir();
const caFile = join(folder, "ca.pem");
await Deno.writeTextFile(caFile, identity.caPem);

const tls = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  cert: identity.certPem,
  key: identity.keyPem,
  onListen() {},
}, async (request) => {
  const text = await request.text();
  return new Response(`hello from ${new URL(request.url).hostname}, ${text.length} bytes`);
});
const plain = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("plain"));
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
tls.unref();
plain.unref();

const there = `127.0.0.1:${tls.addr.port}`;
const dial = { "api.example.com:443": there, "eu.example.org:443": there };
const config = { sandbox: "auto", image: undefined, egress: { caFile, dial } } as const;

for (const driver of ["bubblewrap", "podman", "deno"] as const) {
  onDriver(
    driver,
    "a named host is reached with TLS from end to end, and each connection recorded",
    async (_, home) => {
      const urls = ["https://api.example.com/a", "https://api.example.com/echo"];
      const said = await ask(home, driver, urls, [rule("api.example.com", 443)]);
      assert.match(said, /\/a 200 hello from api\.example\.com, 0 bytes/);
      assert.match(said, /\/echo 200 hello from api\.example\.com, 100000 bytes/);
      const [record] = home.records;
      assert.equal(`${record?.host}:${record?.port} ${record?.address}`, "api.example.com:443 127.0.0.1");
      assert.ok(record!.sentBytes > 100_000 && record!.receivedBytes > 500, JSON.stringify(record));
    },
    { config },
  );

  onDriver(driver, "a wildcard admits names below it and nothing else", async (_, home) => {
    const urls = ["https://eu.example.org/", "https://example.org/", "https://eu.example.net/"];
    const said = await ask(home, driver, urls, [rule("*.example.org", 443)]);
    assert.match(said, /eu\.example\.org\/ 200 hello/);
    assert.match(said, /\/\/example\.org\/ failed/);
    assert.match(said, /eu\.example\.net\/ failed/);
  }, { config });

  onDriver(driver, "a host that nobody named is not reached", async (_, home) => {
    const said = await ask(home, driver, ["https://eu.example.org/", "http://127.0.0.1:" + plain.addr.port], [
      rule("api.example.com", 443),
    ]);
    assert.doesNotMatch(said, / 200 /);
  }, { config });

  onDriver(
    driver,
    "a name that leads to a local address is refused, and the refusal recorded",
    async (_, home) => {
      const said = await ask(home, driver, [
        `http://localhost.example:${plain.addr.port}/`,
        "http://169.254.169.254/",
      ], [
        rule("localhost.example", plain.addr.port),
        rule("169.254.169.254", 80),
      ]);
      assert.doesNotMatch(said, / 200 /);
      const refused = home.records.map(({ host, error, address }) => `${host}: ${error} ${address}`).join(
        "\n",
      );
      assert.match(refused, /169\.254\.169\.254: .*metadata.* undefined/);
    },
    { config },
  );

  onDriver(driver, "a local address that is named is reached", async (_, home) => {
    const { port } = plain.addr;
    const said = await ask(home, driver, [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`], [
      rule("127.0.0.1", port, true),
      rule("localhost", port, true),
    ]);
    assert.equal(said.match(/ 200 plain/g)?.length, 2, said);
  }, { config });
}
