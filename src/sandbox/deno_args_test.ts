import assert from "node:assert/strict";
import { denoArgs } from "./deno_args.ts";
import { planEgress } from "./egress/sockets.ts";
import type { DenoPermissions, DenoProgram, SandboxSpec } from "./spec.ts";

const NONE: DenoPermissions = { read: [], write: [], run: [], env: [], sys: [], loopback: false };

function flags(
  permissions: Partial<DenoPermissions>,
  given: {
    readonly egress?: SandboxSpec["egress"];
    readonly env?: Record<string, string>;
    readonly version?: string;
  } = {},
): string[] {
  const program: DenoProgram = {
    kind: "deno",
    entry: "/opt/handler/connector/main.js",
    args: ["--allow-all"],
    permissions: { ...NONE, ...permissions },
  };
  const egress = given.egress ?? [];
  const spec = { egress, env: given.env ?? {}, memoryBytes: 512 << 20 } as unknown as SandboxSpec;
  return denoArgs(program, {
    spec,
    version: given.version ?? "2.9.6",
    boot: "/boot.js",
    guest: "/guest",
    egress: planEgress(egress),
    secretsSocket: undefined,
  });
}

const flag = (all: string[], name: string) => all.find((one) => one.startsWith(`--allow-${name}`));

Deno.test("an empty list allows nothing, never everything", () => {
  const all = flags({});
  for (const name of ["write", "run", "sys", "net"]) assert.equal(flag(all, name), undefined);
  assert.equal(flag(all, "read"), "--allow-read=/opt/handler/connector,/guest");
  assert.ok(
    !all.some((one) => /^--allow-(all|[a-z]+)$/.test(one)) ||
      all.indexOf("--allow-all") > all.indexOf("/boot.js"),
  );
});

Deno.test("arguments of the program stand behind its entry, where they are no flags", () => {
  assert.deepEqual(flags({}).slice(-4), [
    "--preload",
    "/boot.js",
    "/opt/handler/connector/main.js",
    "--allow-all",
  ]);
});

Deno.test("egress allows the host, its listener inside and the sockets, and no other address", () => {
  const egress = [{ host: "api.example.com", port: 443, namedLocal: false }, {
    host: "*.b.example",
    port: 443,
    namedLocal: false,
  }];
  const net = flag(flags({}, { egress }), "net")!;
  assert.equal(
    net,
    "--allow-net=api.example.com:443,*.b.example:443,127.1.0.2:443,127.1.0.1:3128,unix:/run/handler-egress/0,unix:/run/handler-egress/proxy",
  );
});

Deno.test("a Deno before 2.7 is given no permission that it cannot read", () => {
  const env = { HANDLER_CONNECTOR_SOCKET: "/run/handler/connector.sock" };
  assert.equal(flag(flags({}, { env }), "net"), "--allow-net=unix:/run/handler/connector.sock");
  assert.equal(flag(flags({}, { env, version: "2.6.10" }), "net"), undefined);
});

Deno.test("a comma in a path does not make two paths of it", () => {
  assert.equal(flag(flags({ write: ["/a,b"] }), "write"), "--allow-write=/a,,b");
});

Deno.test("the heap's limit comes before the sandbox's", () => {
  assert.ok(flags({}).includes("--v8-flags=--max-old-space-size=384"));
});
