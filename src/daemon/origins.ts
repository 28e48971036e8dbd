import { OPEN_PATH, OriginSessions, serveOrigins } from "../api/mod.ts";
import type { Apps } from "../apps/mod.ts";
import { type Clock, errorText, type Logger, singleFlight } from "../base/mod.ts";
import { env, type FrontServer, readBytes, statIfThere, writeAtomic } from "../platform/mod.ts";

/** Where browsers find the apps (seed `mini-apps.md` §5.1). */
const APPS_PORT = 7430;

/** The apps' origins of a daemon: opened when there is something to serve. */
export interface OriginServer {
  /** The port: the one that is or will be listened on. */
  readonly port: number;
  /** Listens where it does not yet. @throws {HandlerError} `conflict` where the port is taken */
  open(): Promise<void>;
  /** A one-time link for an app and a person. */
  link(app: string, person: string): Promise<string>;
  close(): Promise<void>;
}

/** What {@linkcode createOrigins} needs. */
export interface OriginServerParts {
  readonly apps: Apps;
  readonly clock: Clock;
  readonly log: Logger;
  /** Keeps the key that cookies are signed with. */
  readonly keyFile: string;
}

/** Prepares the origins; nothing listens before there is an app. */
export function createOrigins({ apps, clock, log, keyFile }: OriginServerParts): OriginServer {
  const port = portOf();
  let made: { readonly server: FrontServer; readonly sessions: OriginSessions } | undefined;
  const listen = singleFlight(async () => {
    if (made) return made;
    const sessions = await OriginSessions.make(clock, await originKey(keyFile));
    made = { sessions, server: await serveOrigins({ apps, sessions, clock, log, port }) };
    return made;
  });
  return {
    get port() {
      return made?.server.port ?? port;
    },
    open: async () => void await listen(),
    async link(app, person) {
      const { sessions, server } = await listen();
      return `http://${app}.localhost:${server.port}${OPEN_PATH}#${sessions.link(app, person)}`;
    },
    close: async () => await made?.server.stop(),
  };
}

/** Opens the origins at a start where apps are installed; a taken port is told and leaves the rest of the daemon alone. */
export async function openWhereNeeded(origins: OriginServer, apps: Apps, log: Logger): Promise<void> {
  if (apps.registry.all().length === 0) return;
  await origins.open().catch((error) => log.log("warn", `the apps are not served: ${errorText(error)}`));
}

function portOf(): number {
  const port = Number(env("HANDLER_PORT") ?? APPS_PORT);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : APPS_PORT;
}

async function originKey(file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!await statIfThere(file)) await writeAtomic(file, crypto.getRandomValues(new Uint8Array(32)));
  return await readBytes(file);
}
