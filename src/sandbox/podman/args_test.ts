import assert from "node:assert/strict";
import type { SandboxSpec } from "../spec.ts";
import { containerArgs, type ContainerInput, denoByLoader } from "./args.ts";
import type { PodmanSetup } from "./setup.ts";

const spec = {
  name: "box",
  kind: "connector",
  program: { kind: "argv", argv: ["/bin/tool", "word"] },
  secretEnv: { KEY: "canary" },
  mounts: [{ source: "/host/own-hosts", target: "/etc/hosts", mode: "ro" }],
  cwd: "/tmp",
  egress: [],
  memoryBytes: 1 << 29,
  pids: 64,
  cpus: 0.5,
} as unknown as SandboxSpec;

const input: ContainerInput = {
  spec,
  setup: {
    image: "image:1",
    user: "mapped",
    limits: true,
    init: true,
    seccomp: [],
  } as unknown as PodmanSetup,
  container: "handler-x-box-1",
  box: { folder: "/run/box", egress: "/run/box/egress", etc: { "/etc/hosts": "/run/box/etc/hosts" } },
  sockets: false,
  guestFolder: undefined,
  deno: undefined,
  system: [],
  env: { PLAIN: "a=b c" },
  secrets: { KEY: "handler-x-box-1-abc" },
  labels: { who: "test" },
  command: ["/bin/tool", "word"],
};

Deno.test("a container is confined, limited, and its arguments hold no secret", () => {
  const args = containerArgs(input);
  for (
    const flag of ["--network=none", "--read-only", "--cap-drop=all", "--pull=never", "--http-proxy=false"]
  ) {
    assert.ok(args.includes(flag), flag);
  }
  for (const flag of ["--memory=536870912b", "--memory-swap=536870912b", "--pids-limit=64", "--cpus=0.5"]) {
    assert.ok(args.includes(flag), flag);
  }
  assert.ok(!args.join(" ").includes("canary"));
  assert.equal(args[args.indexOf("--secret") + 1], "handler-x-box-1-abc,type=env,target=KEY");
  assert.deepEqual(args.slice(-4), ["--entrypoint", '["/bin/tool"]', "image:1", "word"]);
});

Deno.test("a target is mounted once, and the spec's own mount is the last word", () => {
  const mounts = containerArgs(input).filter((one) => one.startsWith("type=bind"));
  assert.deepEqual(mounts, [
    "type=bind,source=/host/own-hosts,target=/etc/hosts,bind-propagation=rprivate,ro=true",
  ]);
});

Deno.test("a path that podman would read as two is refused", () => {
  const mounts = [{ source: "/a,target=/etc", target: "/x", mode: "rw" }] as const;
  assert.throws(() => containerArgs({ ...input, spec: { ...spec, mounts } }), /no path with a comma/);
});

Deno.test("the host's Deno runs in any image by its own loader", () => {
  const library = (path: string) => ({ path, file: path });
  const libraries = [library("/lib/x86_64-linux-gnu/libc.so.6"), library("/lib64/ld-linux-x86-64.so.2")];
  const deno = { path: "/usr/bin/deno", version: "2.9.6", libraries };
  assert.deepEqual(denoByLoader(deno).slice(0, 3), [
    "/opt/handler/lib/ld-linux-x86-64.so.2",
    "--library-path",
    "/opt/handler/lib",
  ]);
});
