import { basename } from "node:path";
import type { DenoProgram, EgressRule, Mount, SandboxSpec } from "../sandbox/mod.ts";
import type { AppManifest } from "./records.ts";
import { VERSION_FOLDERS } from "./snapshot.ts";

/** Where a backend finds things. Its data lies at the same path as on the host (seed §4). */
export const APP_INSIDE = {
  code: "/opt/app",
  guest: "/opt/handler/guest",
  run: "/run/handler",
  socket: "/run/handler/app.sock",
  api: "/run/handler/api.sock",
  services: "/run/handler/services",
} as const;

/** What the sandbox of a backend is made from. */
export interface AppSandboxInput {
  readonly name: string;
  readonly app: string;
  readonly manifest: AppManifest;
  /** The host folder of the version. */
  readonly version: string;
  readonly data: string;
  /** The host folder of the socket; the sandbox alone mounts it. */
  readonly run: string;
  readonly guest: string;
  readonly egress: readonly EgressRule[];
  readonly secretEnv: Readonly<Record<string, string>>;
  /** Host folders by the name in the manifest. */
  readonly files: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** The sandbox of a running backend: strict, its code read-only, its data, its sockets, and nothing else (seed §4). */
export function appSandbox(input: AppSandboxInput): SandboxSpec {
  return {
    ...common(input),
    program: program(input, { command: "run" }),
    egress: input.egress,
    secretEnv: input.secretEnv,
    logFile: input.logFile,
  };
}

/** The sandbox that a version's own tests run in: an empty data folder, no egress, no secret (seed §4, contract H). */
export function testSandbox(input: Omit<AppSandboxInput, "egress" | "secretEnv" | "files">): SandboxSpec {
  return {
    ...common({ ...input, files: {} }),
    program: program(input, { command: "test" }),
    egress: [],
    secretEnv: {},
    logFile: input.logFile,
    timeoutMs: TEST_LIMIT_MS,
  };
}

const TEST_LIMIT_MS = 120_000;

type Common = Omit<AppSandboxInput, "egress" | "secretEnv">;

function common({ name, app, manifest, version, data, run, guest, files }: Common) {
  const mounts: Mount[] = [
    { source: guest, target: APP_INSIDE.guest, mode: "ro" },
    { source: version, target: APP_INSIDE.code, mode: "ro" },
    { source: run, target: APP_INSIDE.run, mode: "rw" },
    { source: data, target: data, mode: "rw" },
  ];
  for (const [folder, mode] of Object.entries(manifest.needs.files)) {
    const source = files[folder];
    if (source !== undefined) mounts.push({ source, target: fileFolder(folder), mode });
  }
  return {
    name,
    kind: "app" as const,
    env: environment(manifest, data, files),
    mounts,
    cwd: "/tmp",
    memoryBytes: manifest.resources.memoryBytes,
    pids: manifest.resources.pids,
    ...(manifest.resources.cpus === undefined ? {} : { cpus: manifest.resources.cpus }),
    outlivesDaemon: false,
    labels: { app },
  };
}

/** Where a folder of `needs.files` is seen inside; `HANDLER_FILES_<NAME>` says it too. */
function fileFolder(name: string): string {
  return `/files/${name}`;
}

function environment(manifest: AppManifest, data: string, files: Readonly<Record<string, string>>) {
  const folders = Object.keys(manifest.needs.files).filter((name) => files[name] !== undefined)
    .map((name) => [`HANDLER_FILES_${name.toUpperCase().replaceAll("-", "_")}`, fileFolder(name)]);
  return {
    HOME: "/tmp",
    HANDLER_APP: manifest.name,
    HANDLER_APP_SOCKET: APP_INSIDE.socket,
    HANDLER_APP_DATA: data,
    HANDLER_APP_API: APP_INSIDE.api,
    ...(manifest.needs.services.length > 0 ? { HANDLER_SERVICES: APP_INSIDE.services } : {}),
    ...Object.fromEntries(folders),
  };
}

/** Deno's permissions are a second layer; the mounts are the boundary for files. */
function program(
  { manifest, data }: Pick<AppSandboxInput, "manifest" | "data">,
  what: { readonly command: "run" | "test" },
): DenoProgram {
  const { code, guest, run } = APP_INSIDE;
  const server = `${code}/${VERSION_FOLDERS.server}`;
  const files = Object.entries(manifest.needs.files);
  // from Deno 2.7 on a socket is reached only where a permission names it
  const services = manifest.needs.services.map((id) => `${APP_INSIDE.services}/${id.split("/")[0]}.sock`);
  const writable = files.filter(([, mode]) => mode === "rw").map(([name]) => fileFolder(name));
  return {
    kind: "deno",
    command: what.command,
    entry: what.command === "test" ? server : `${server}/${basename(manifest.serverEntry)}`,
    args: [],
    permissions: {
      read: [code, guest, run, data, "/tmp", ...services, ...files.map(([name]) => fileFolder(name))],
      write: [run, data, "/tmp", ...writable],
      allFiles: true,
      run: [],
      env: true,
      sys: ["cpus", "osRelease", "uid", "gid"],
      loopback: true,
    },
  };
}
