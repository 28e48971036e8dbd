import assert from "node:assert/strict";
import type { Connection } from "../../platform/mod.ts";
import type { EgressRule } from "../spec.ts";
import { dial, type DialPorts, splitHostPort } from "./dial.ts";

/** Name service and network of a test; `dialled` keeps what was connected to. */
function ports(names: Record<string, readonly string[]>, overrides: Record<string, string> = {}) {
  const dialled: string[] = [];
  const made: DialPorts = {
    overrides,
    resolve: (host) => names[host] ? Promise.resolve(names[host]) : Promise.reject(new Error("no such name")),
    connect(address, port) {
      dialled.push(`${address}:${port}`);
      if (address === "192.0.2.1" || address === "8.8.8.8") return Promise.reject(new Error("no route"));
      return Promise.resolve({ close() {} } as unknown as Connection);
    },
  };
  return { ports: made, dialled };
}

const rule = (host: string, namedLocal = false): EgressRule => ({ host, port: 443, namedLocal });

Deno.test("a public address is dialled, the next one when the first does not answer", async () => {
  const { ports: made, dialled } = ports({ "api.example.com": ["8.8.8.8", "1.1.1.1"] });
  assert.equal((await dial(rule("api.example.com"), made)).address, "1.1.1.1");
  assert.deepEqual(dialled, ["8.8.8.8:443", "1.1.1.1:443"]);
});

Deno.test("a name that leads to an address of the machine or its network is not dialled", async () => {
  for (
    const address of [
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "::1",
      "::ffff:192.168.0.1",
      "fd00:ec2::254",
    ]
  ) {
    const { ports: made, dialled } = ports({ "evil.example": [address] });
    await assert.rejects(dial(rule("evil.example"), made), /was not dialled: it leads to/, address);
    assert.deepEqual(dialled, []);
  }
});

Deno.test("of several addresses only those that passed the check are dialled", async () => {
  const { ports: made, dialled } = ports({ "mixed.example": ["127.0.0.1", "1.1.1.1"] });
  await dial(rule("mixed.example"), made);
  assert.deepEqual(dialled, ["1.1.1.1:443"]);
});

Deno.test("what is named may be local, but the metadata service only by its own address", async () => {
  const { ports: made, dialled } = ports({ "nas.local": ["192.168.0.7"], "sly.local": ["169.254.169.254"] });
  await dial(rule("nas.local", true), made);
  await dial(rule("127.0.0.1", true), made);
  await dial(rule("host.containers.internal", true), made);
  await dial(rule("169.254.169.254", true), made);
  assert.deepEqual(dialled, ["192.168.0.7:443", "127.0.0.1:443", "127.0.0.1:443", "169.254.169.254:443"]);
  await assert.rejects(dial(rule("sly.local", true), made), /metadata/);
  await assert.rejects(dial(rule("host.containers.internal"), made), /loopback/);
});

Deno.test("a person says where a destination is really dialled", async () => {
  const { ports: made, dialled } = ports({ "box.local": ["192.168.0.9"] }, {
    "api.example.com:443": "127.0.0.1:8443",
    "b.example.com:443": "box.local:1234",
  });
  await dial(rule("api.example.com"), made);
  await dial(rule("b.example.com"), made);
  assert.deepEqual(dialled, ["127.0.0.1:8443", "192.168.0.9:1234"]);
});

Deno.test("a name without an address, and an address that does not answer, are told", async () => {
  const { ports: made } = ports({ "gone.example": ["8.8.8.8"] });
  await assert.rejects(
    dial(rule("unknown.example"), made),
    /the name unknown\.example could not be resolved/,
  );
  await assert.rejects(dial(rule("gone.example"), made), /no connection to 8\.8\.8\.8 port 443: no route/);
});

Deno.test("host and port are read strictly", () => {
  assert.deepEqual(splitHostPort("API.Example.com.:443"), ["api.example.com", 443]);
  assert.deepEqual(splitHostPort("[::1]:8080"), ["::1", 8080]);
  for (
    const text of ["example.com", "example.com:0", "example.com:70000", "::1:80", "a b:80", "u@h:80", ":80"]
  ) {
    assert.throws(() => splitHostPort(text), /written host:port/, text);
  }
});
