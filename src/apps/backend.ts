import { errorText, HandlerError, utf8Text } from "../base/mod.ts";
import {
  Connections,
  ensureFolder,
  pinSocket,
  removeQuietly,
  tailOfFile,
  trimFile,
} from "../platform/mod.ts";
import type { Sandbox, SandboxExit } from "../sandbox/mod.ts";
import { untilHealthy } from "./health.ts";
import { placesOf } from "./places.ts";
import type { AppsPorts, OpenServices, SecretLease } from "./ports.ts";
import type { App, AppVersion } from "./records.ts";
import { type BackendInput, backendSandbox, makeRunFolder, type Waiting } from "./waiting.ts";

const STOP_GRACE_MS = 10_000;
const LOG_LINES_BYTES = 4096;
const LOG_LIMIT = 16 * 1024 * 1024;
const LOG_KEPT = 1024 * 1024;
const LOG_LOOK_MS = 2_000;

/** A backend that is up and healthy. */
export interface Backend {
  readonly socket: string;
  readonly connections: Connections;
  readonly exited: Promise<SandboxExit>;
  /** Whether the socket is still the one that this backend's sandbox made. */
  isOwnSocket(): boolean;
  /** Keeps {@linkcode Backend.socket} from becoming another one; what it gives is called once, at the end. */
  use(): () => void;
  /** Asks it to end, waits, then kills; its sockets and leases are gone afterwards. */
  stop(): Promise<void>;
}

/** What takes a part of a start back. */
type Undo = () => Promise<unknown> | void;

/**
 * Starts a backend and waits until it is healthy. `waiting` is a sandbox that was made for it ahead.
 * @throws {HandlerError} `unavailable` with the last lines of its log
 */
export async function startBackend(
  ports: AppsPorts,
  input: BackendInput,
  waiting: Waiting | undefined,
): Promise<Backend> {
  const { app, version, data, mode } = input;
  const places = placesOf(ports.folders, app.name);
  let unused = waiting;
  const undo: Undo[] = [() => unused?.discard()];
  const unwind = async () => {
    for (const step of undo.toReversed()) {
      try {
        await step();
      } catch (error) {
        ports.log.log("warn", `after the app ${app.name}: ${errorText(error)}`);
      }
    }
  };
  try {
    const run = waiting?.run ?? await makeRunFolder(ports);
    undo.push(() => removeQuietly(run.path));
    await ensureFolder(data, 0o755);
    undo.push(boundLog(ports, places.log));
    const secretEnv = mode === "live" ? await resolveSecrets(ports, app, version, undo) : {};
    if (mode === "live") {
      undo.push(await ports.openApi(app.name, `${run.path}/api.sock`));
      await openServices(ports, app, version, data, `${run.path}/services`, undo);
    }
    unused = undefined;
    const made = await waiting?.sandbox.start().catch((error) => {
      ports.log.log("warn", `what waited for the app ${app.name} was gone: ${errorText(error)}`);
      return undefined;
    });
    const sandbox = made ?? await ports.startSandbox(backendSandbox(ports, input, run, secretEnv));
    undo.push(() => sandbox.stop(STOP_GRACE_MS));
    await untilHealthy(sandbox, `${run.path}/app.sock`);
    return backendOf(sandbox, `${run.path}/app.sock`, unwind);
  } catch (error) {
    await unwind();
    throw withLog(`the app ${app.name} does not come up: ${errorText(error)}`, error, places.log);
  }
}

/** Keeps a log from filling the disk; returns what ends that. */
function boundLog({ clock, log }: AppsPorts, path: string): () => void {
  let forget = () => {};
  const look = async () => {
    await trimFile(path, LOG_LIMIT, LOG_KEPT).catch((error) =>
      log.log("warn", `${path}: ${errorText(error)}`)
    );
    if (goes) forget = clock.after(LOG_LOOK_MS, () => void look());
  };
  let goes = true;
  void look();
  return () => {
    goes = false;
    forget();
  };
}

async function resolveSecrets(
  ports: AppsPorts,
  app: App,
  version: Pick<AppVersion, "manifest">,
  undo: Undo[],
): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {};
  for (const variable of version.manifest.needs.secrets) {
    const reference = app.settings.secrets[variable];
    if (!reference) {
      throw new HandlerError(
        "conflict",
        `the app ${app.name} needs the secret ${variable}, which nobody has filled`,
        {
          hint: `handler app settle ${app.name} --secret ${variable}=store:NAME`,
        },
      );
    }
    const lease: SecretLease = await ports.resolveSecret(reference, `${app.name}.${variable}`);
    undo.push(() => lease.release());
    values[variable] = lease.value;
  }
  return values;
}

async function openServices(
  ports: AppsPorts,
  app: App,
  version: Pick<AppVersion, "manifest">,
  data: string,
  folder: string,
  undo: Undo[],
): Promise<void> {
  const requires = version.manifest.needs.services;
  if (requires.length === 0) return;
  const open: OpenServices = await ports.openServices(
    { id: `app:${app.name}`, scope: data, requires, selection: () => app.settings.services },
    folder,
  );
  undo.push(() => open.close());
}

/**
 * Calls go to the socket that stands there once it is healthy, and to none that is put in its place later. It stays
 * pinned for as long as a call has it: the number that it is known by could be another socket's afterwards.
 */
function backendOf(sandbox: Sandbox, socket: string, unwind: () => Promise<void>): Backend {
  const pin = pinSocket(socket);
  const connections = new Connections();
  let users = 1, stopped: Promise<void> | undefined;
  const leave = () => {
    if (--users === 0) pin[Symbol.dispose]();
  };
  return {
    socket: pin.path,
    connections,
    exited: sandbox.exited,
    isOwnSocket: () => pin.isInPlace(),
    use() {
      users++;
      return leave;
    },
    stop() {
      connections[Symbol.dispose](); // one that is kept open can hold up a server that ends politely
      return stopped ??= unwind().finally(leave);
    },
  };
}

/** A failure with what a person needs to see why: its own hint, or the last lines of the app's log (seed §4). */
export function withLog(text: string, cause: unknown, log: string): HandlerError {
  const kind = cause instanceof HandlerError ? cause.kind : "unavailable";
  const hint = cause instanceof HandlerError && cause.hint ? cause.hint : lastWords(log);
  return new HandlerError(kind, text, { ...(hint ? { hint } : {}), cause });
}

/** The last lines of an app's log. */
export function lastWords(log: string): string {
  return utf8Text(tailOfFile(log, LOG_LINES_BYTES)).trimEnd().split("\n").slice(-12).join("\n");
}
