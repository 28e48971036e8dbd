import type { Mount, Program, SandboxSpec } from "../sandbox/mod.ts";
import type { ResolvedBinding } from "./bindings.ts";
import type { Connector } from "./connector.ts";

/** Where a connector's sandbox finds things. */
export const CONNECTOR_INSIDE = {
  code: "/opt/handler/connector",
  guest: "/opt/handler/guest",
  run: "/run/handler",
} as const;

/** Folders of the host that connectors' sandboxes are made from. */
export interface ConnectorFolders {
  /** Bundled guest programs, `kit.js` and `mcp_wrap.js` among them. */
  readonly guest: string;
  /** Bundles of the connectors that ship with Handler, a folder each. */
  readonly builds: string;
}

/**
 * The sandbox of a binding's connector, but for its run folder and secrets, which the router adds at each start. Strict
 * confinement, egress exactly as resolved, and Deno's permissions as a second layer (contracts A, S.15).
 */
export function connectorSandbox(
  binding: ResolvedBinding,
  folders: ConnectorFolders,
  serial: number,
): SandboxSpec {
  const { connector, env, egress } = binding;
  const { image } = connector.runtime as { image?: string };
  return {
    name: `connector-${binding.name}-${serial}`,
    kind: "connector",
    ...(image === undefined ? {} : { image }),
    program: programOf(connector),
    env: { ...env, ...wrapEnv(binding), HOME: "/tmp" },
    secretEnv: {},
    mounts: mountsOf(connector, folders),
    cwd: "/tmp",
    egress,
    memoryBytes: connector.resources.memoryBytes,
    pids: connector.resources.pids,
    ...(connector.resources.cpus === undefined ? {} : { cpus: connector.resources.cpus }),
    outlivesDaemon: false,
    labels: { binding: binding.name, connector: connector.name },
  };
}

function programOf(connector: Connector): Program {
  const { runtime } = connector;
  const { code, guest, run } = CONNECTOR_INSIDE;
  switch (runtime.kind) {
    case "image":
      return { kind: "argv", argv: runtime.argv };
    case "deno": {
      const own = connector.origin === "user" ? { config: `${code}/deno.json` } : {};
      const entry = connector.origin === "user" ? runtime.entry : bundleName(runtime.entry);
      return denoProgram(`${code}/${entry}`, { ...own, write: [run], run: [] });
    }
    case "mcp-stdio":
      return denoProgram(`${guest}/mcp_wrap.js`, { write: [run, "/tmp"], run: [runtime.command[0]!] });
    case "mcp-http":
      return denoProgram(`${guest}/mcp_wrap.js`, { write: [run], run: [] });
  }
}

function bundleName(entry: string): string {
  return entry.replace(/\.[cm]?[jt]sx?$/, ".js");
}

function denoProgram(
  entry: string,
  options: { readonly config?: string; readonly write: readonly string[]; readonly run: readonly string[] },
): Program {
  const { config, write, run } = options;
  return {
    kind: "deno",
    entry,
    args: [],
    ...(config === undefined ? {} : { config }),
    permissions: {
      read: [CONNECTOR_INSIDE.code, CONNECTOR_INSIDE.guest, ...write],
      write,
      run,
      env: true,
      sys: ["cpus", "osRelease", "uid", "gid"],
      loopback: true,
    },
  };
}

function mountsOf(connector: Connector, folders: ConnectorFolders): readonly Mount[] {
  const guest: Mount = { source: folders.guest, target: CONNECTOR_INSIDE.guest, mode: "ro" };
  if (connector.runtime.kind === "image") return [];
  const built = connector.origin === "shipped" && connector.runtime.kind === "deno";
  const source = built ? `${folders.builds}/${connector.name}` : connector.folder;
  return [guest, { source, target: CONNECTOR_INSIDE.code, mode: "ro" }];
}

/** What the wrapping program is told: the server, and how its tools become the interface's. */
function wrapEnv({ connector }: ResolvedBinding): Readonly<Record<string, string>> {
  const { runtime, tools, settings } = connector;
  if (runtime.kind === "mcp-stdio") {
    return { HANDLER_WRAP: JSON.stringify({ server: { command: runtime.command }, tools }) };
  }
  if (runtime.kind !== "mcp-http") return {};
  const urlVariable = settings[runtime.urlSetting]?.env;
  return { HANDLER_WRAP: JSON.stringify({ server: { urlVariable }, tools }) };
}
