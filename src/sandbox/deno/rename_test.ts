import assert from "node:assert/strict";
import type { SandboxSpec } from "../spec.ts";
import { renamedSpec, Renamer } from "./rename.ts";

const renamer = new Renamer([
  { source: "/host/code/", target: "/opt/handler/connector", mode: "ro" },
  { source: "/host/run", target: "/run/handler/", mode: "rw" },
  { source: "/host/skills", target: "/run/handler/skills", mode: "ro" },
]);

Deno.test("a path gets the source of the closest mount above it", () => {
  assert.equal(renamer.path("/opt/handler/connector/main.ts"), "/host/code/main.ts");
  assert.equal(renamer.path("/run/handler"), "/host/run");
  assert.equal(renamer.path("/run/handler/skills/a"), "/host/skills/a");
  assert.equal(renamer.path("/run/handler-egress/0"), "/run/handler-egress/0");
  assert.equal(renamer.pathIfMounted("/etc/passwd"), undefined);
});

Deno.test("words are renamed where they are paths, also as file URLs", () => {
  assert.equal(renamer.word("/run/handler/connector.sock"), "/host/run/connector.sock");
  assert.equal(renamer.word("file:///opt/handler/connector/a.js"), "file:///host/code/a.js");
  assert.equal(renamer.word("see /run/handler"), "see /run/handler");
});

Deno.test("permissions reach what is mounted and no further", () => {
  assert.deepEqual(renamer.permitted("/run/handler", "read"), ["/host/run", "/host/skills"]);
  assert.deepEqual(renamer.permitted("/run/handler", "write"), ["/host/run"]);
  assert.deepEqual(renamer.permitted("/opt/handler/connector", "write"), []);
  assert.deepEqual(renamer.permitted("/", "write"), ["/host/run"]);
  assert.deepEqual(renamer.permitted("/etc", "read"), []);
});

Deno.test("a whole spec is renamed, and loopback is not allowed on a network that is the host's", () => {
  const spec = {
    cwd: "/run/handler",
    env: { SOCKET: "/run/handler/c.sock", PLAIN: "x" },
    program: {
      kind: "deno",
      entry: "/opt/handler/connector/main.ts",
      args: ["/run/handler/in"],
      permissions: {
        read: ["/opt/handler/connector"],
        write: ["/run/handler"],
        run: [],
        env: true,
        sys: [],
        loopback: true,
      },
    },
  } as unknown as SandboxSpec;
  const renamed = renamedSpec(spec, renamer);
  assert.deepEqual([renamed.cwd, renamed.env], ["/host/run", { SOCKET: "/host/run/c.sock", PLAIN: "x" }]);
  const program = renamed.program as Extract<SandboxSpec["program"], { kind: "deno" }>;
  assert.deepEqual([program.entry, program.args], ["/host/code/main.ts", ["/host/run/in"]]);
  assert.deepEqual(program.permissions.read, ["/host/code"]);
  assert.equal(program.permissions.loopback, false);
});
