import assert from "node:assert/strict";
import type { SandboxSpec } from "../spec.ts";
import { type ArgsInput, bubblewrapArgs } from "./args.ts";
import { launchArgv } from "./launch.ts";

const spec = {
  name: "box",
  cwd: "/work",
  memoryBytes: 1 << 29,
  outlivesDaemon: false,
  mounts: [{ source: "/host/a", target: "/work", mode: "rw" }, {
    source: "/host/b",
    target: "/code",
    mode: "ro",
  }],
} as unknown as SandboxSpec;

const input: ArgsInput = {
  spec,
  box: { folder: "/run/box", egress: "/run/box/egress", etc: { "/etc/hosts": "/run/box/etc/hosts" } },
  egressFolder: undefined,
  guestFolder: undefined,
  deno: { path: "/usr/bin/deno", libraries: [{ path: "/lib/libc.so.6", file: "/usr/lib/libc.so.6" }] },
  env: { KEY: "secret" },
  features: { sizesAndNoUserNamespaces: true },
  filtered: true,
  nested: false,
  system: [],
  kernel: { readOnlyPaths: ["/proc/sys"], emptyFiles: ["/proc/kcore"], emptyFolders: [] },
};

/** Whether words stand in the arguments one after the other. */
function has(args: readonly string[], ...words: string[]): boolean {
  return args.some((_, at) => words.every((word, n) => args[at + n] === word));
}

Deno.test("a sandbox has its own namespaces, no capability, no further user namespace, and a filter", () => {
  const args = bubblewrapArgs(input);
  for (
    const words of [
      ["--unshare-all"],
      ["--unshare-user"],
      ["--cap-drop", "ALL"],
      ["--disable-userns"],
      ["--seccomp", "7"],
      ["--new-session"],
      ["--die-with-parent"],
      ["--clearenv"],
    ]
  ) {
    assert.ok(has(args, ...words), words.join(" "));
  }
  assert.ok(has(args, "--ro-bind", "/proc/sys", "/proc/sys"));
  assert.ok(has(args, "--ro-bind", "/dev/null", "/proc/kcore"));
  assert.ok(has(args, "--bind", "/host/a", "/work") && has(args, "--ro-bind", "/host/b", "/code"));
  assert.ok(has(args, "--remount-ro", "/"));
});

Deno.test("the network namespace is the outer one's where there are two, and a session outlives its daemon", () => {
  const nested = bubblewrapArgs({ ...input, nested: true });
  assert.ok(!nested.includes("--unshare-all") && !nested.includes("--unshare-net"));
  assert.ok(
    !bubblewrapArgs({ ...input, spec: { ...spec, outlivesDaemon: true } }).includes("--die-with-parent"),
  );
});

Deno.test("single libraries are mounted only where the folder that holds them is not", () => {
  assert.ok(has(bubblewrapArgs(input), "--ro-bind", "/usr/lib/libc.so.6", "/lib/libc.so.6"));
  const system = [{ kind: "link", path: "/lib", target: "usr/lib" }] as const;
  const args = bubblewrapArgs({ ...input, system });
  assert.ok(has(args, "--symlink", "usr/lib", "/lib") && !args.includes("/lib/libc.so.6"));
});

Deno.test("the command line holds no variable, whatever its words are", () => {
  const argv = launchArgv({
    bubblewrap: "/usr/bin/bwrap",
    groups: ["/sys/fs/cgroup/a b"],
    ulimits: ["-c 0"],
    stdinFifo: undefined,
    logFile: undefined,
    statusFile: "/run/box/status.json",
    filterFile: "/state/filter.bpf",
    gate: undefined,
    lowPorts: true,
    outlivesDaemon: false,
    program: ["/bin/tool", "$(reboot)"],
  });
  assert.equal(argv.at(-1), "$(reboot)");
  assert.equal(argv.filter((word) => word === "/usr/bin/bwrap").length, 2);
  assert.ok(!argv.includes("--setenv"));
});
