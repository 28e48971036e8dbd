import {
  env,
  findDeno,
  type Folders,
  isCompiled,
  ownCommand,
  ownProgram,
  userId,
} from "../../platform/mod.ts";

/** The names that a person calls, all of one program. */
export const COMMAND_NAMES = [
  "handler",
  "handlerd",
  "handler-service",
  "handler-call",
  "handler-llm",
] as const;

/** How a service manager starts the daemon. */
export interface Launch {
  /** The program and its words. */
  readonly argv: readonly string[];
  /** What it needs besides what the manager gives. */
  readonly env: Readonly<Record<string, string>>;
  /** Where commands connect. */
  readonly socket: string;
  /** Where the daemon listens behind the manager's own proxy. */
  readonly behind: string;
  readonly log: string;
}

/** Variables that a person's shell may have and a service manager has not. */
const CARRIED = [
  "HANDLER_PORT",
  "HANDLER_DENO",
  "DENO_DIR",
  "DENO_TLS_CA_STORE",
  "SSL_CERT_FILE",
  "CONTAINERS_CONF",
];

/** Where a service manager's programs are looked for anyway. */
const USUAL = ["/usr/local/bin/deno", "/usr/bin/deno", "/bin/deno"];

/** How the daemon is started; `program` is the compiled file, undefined for a checkout. */
export async function launchOf(program: string | undefined, folders: Folders, home: string): Promise<Launch> {
  const argv = program === undefined ? ownCommand("handlerd") : [program, "handlerd"];
  return {
    argv,
    env: { ...folderVariables(folders, home), ...await denoVariable(home), ...carried() },
    socket: `${folders.runtime}/handlerd.sock`,
    behind: `${folders.runtime}/direct.sock`,
    log: `${folders.state}/handlerd.log`,
  };
}

/** The compiled program that runs now; undefined in a checkout. */
export function runningProgram(): string | undefined {
  return isCompiled ? ownProgram() : undefined;
}

/** The folders that a service would not find by itself. */
function folderVariables(folders: Folders, home: string): Record<string, string> {
  const runtime = env("XDG_RUNTIME_DIR") ?? `/run/user/${userId() ?? 0}`;
  const rows = [
    ["HANDLER_CONFIG_DIR", folders.config, `${home}/.config/handler-ai`],
    ["HANDLER_DATA_DIR", folders.data, `${home}/.local/share/handler-ai`],
    ["HANDLER_STATE_DIR", folders.state, `${home}/.local/state/handler-ai`],
    ["HANDLER_RUNTIME_DIR", folders.runtime, `${runtime}/handler-ai`],
  ] as const;
  return Object.fromEntries(rows.flatMap(([name, path, usual]) => (path === usual ? [] : [[name, path]])));
}

/** A Deno that only this shell's search path leads to. */
async function denoVariable(home: string): Promise<Record<string, string>> {
  const deno = await findDeno();
  if (!isCompiled || deno === undefined || [...USUAL, `${home}/.deno/bin/deno`].includes(deno)) return {};
  return { HANDLER_DENO: deno };
}

function carried(): Record<string, string> {
  return Object.fromEntries(CARRIED.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
