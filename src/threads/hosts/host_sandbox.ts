import type { SandboxSpec } from "../../sandbox/mod.ts";

/** Where a thread host finds things. */
export const HOST_INSIDE = {
  guest: "/opt/handler/guest",
  agents: "/opt/handler/project/agents",
  config: "/opt/handler/threads.json",
  cache: "/opt/handler/cache",
  run: "/run/handler",
  socket: "/run/handler/threads.sock",
} as const;

const MEMORY_BYTES = 512 * 1024 * 1024;
const PIDS = 256;

/** Names that definitions import, by the file that ships for them. */
const MODULES: Readonly<Record<string, string>> = {
  "@standardagents/spec": "spec.js",
  "zod": "zod.js",
  "npm:zod": "zod.js",
  "zod/v4": "zod.js",
};

/** What a host is started on, all folders of the host machine. */
export interface HostSandboxInput {
  readonly name: string;
  readonly project: string;
  readonly agents: string;
  /** The file of {@linkcode hostConfig}. */
  readonly config: string;
  readonly cache: string;
  /** The folder of the socket; the sandbox alone mounts it. */
  readonly run: string;
  readonly logFile: string;
}

/** The sandbox of a project's functions: definitions to read, a socket, and nothing else: no network, no secret. */
export function hostSandbox(input: HostSandboxInput): SandboxSpec {
  const { guest, agents, config, cache, run, socket } = HOST_INSIDE;
  return {
    name: input.name,
    kind: "thread-host",
    program: {
      kind: "deno",
      entry: `${guest}/thread_host.js`,
      args: [],
      config,
      permissions: {
        read: [agents, guest, run, "/tmp"],
        write: [run, "/tmp"],
        run: [],
        env: true,
        sys: [],
        loopback: false,
      },
    },
    env: {
      HOME: "/tmp",
      DENO_DIR: cache,
      HANDLER_THREADS_SOCKET: socket,
      HANDLER_THREADS_AGENTS: agents,
    },
    secretEnv: {},
    mounts: [
      { source: input.agents, target: agents, mode: "ro" },
      { source: input.config, target: config, mode: "ro" },
      { source: input.cache, target: cache, mode: "rw" },
      { source: input.run, target: run, mode: "rw" },
    ],
    cwd: "/tmp",
    egress: [],
    memoryBytes: MEMORY_BYTES,
    pids: PIDS,
    outlivesDaemon: false,
    logFile: input.logFile,
    labels: { project: input.project },
  };
}

/** Deno's configuration of a host: what names in definitions lead to, and workers without permissions. */
export function hostConfig(): string {
  const imports = Object.entries(MODULES).map(([name, file]) => [name, `${HOST_INSIDE.guest}/${file}`]);
  return JSON.stringify({
    nodeModulesDir: "none",
    unstable: ["worker-options"],
    imports: Object.fromEntries(imports),
  });
}
