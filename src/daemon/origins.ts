import { type AskApi, DESK, OPEN_PATH, OriginSessions, serveOrigins } from "../api/mod.ts";
import type { Apps } from "../apps/mod.ts";
import { type Clock, errorText, HandlerError, type Logger, singleFlight } from "../base/mod.ts";
import { OWNER } from "../config/mod.ts";
import { env, type FrontServer, readBytes, statIfThere, writeAtomic } from "../platform/mod.ts";

/** Where browsers find the desk and the apps (seed `mini-apps.md` §5.1). */
const USUAL_PORT = 7430;

/** The origins of a daemon: the desk and the apps. */
export interface OriginServer {
  /** The port: the one that is or will be listened on. */
  readonly port: number;
  /** Why nothing is served; undefined where it is. */
  readonly problem: string | undefined;
  /** Listens. A taken port is told and leaves the rest of the daemon alone; the next link tries again. */
  open(ask: AskApi): Promise<void>;
  /** A one-time link for an app and a person. @throws {HandlerError} `conflict` where the port is taken */
  link(app: string, person: string): Promise<string>;
  /** A one-time link for the desk. @throws {HandlerError} `conflict` where the port is taken */
  deskLink(): Promise<string>;
  close(): Promise<void>;
}

/** What {@linkcode createOrigins} needs. */
export interface OriginServerParts {
  readonly apps: Apps;
  /** The page's files. */
  readonly pageFolder: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Keeps the key that cookies are signed with. */
  readonly keyFile: string;
}

/** Prepares the origins; nothing listens yet. */
export function createOrigins({ apps, pageFolder, clock, log, keyFile }: OriginServerParts): OriginServer {
  const port = portOf();
  let ask: AskApi | undefined;
  let made: { readonly server: FrontServer; readonly sessions: OriginSessions } | undefined;
  let problem: string | undefined = "it is not started yet";
  const listen = singleFlight(async () => {
    if (made) return made;
    if (!ask) throw new HandlerError("unavailable", "the desk is not there yet", { hint: "try again" });
    const sessions = await OriginSessions.make(clock, await originKey(keyFile));
    const desk = { page: () => pageIn(pageFolder), ask };
    try {
      made = { sessions, server: await serveOrigins({ apps, desk, sessions, log, port }) };
    } catch (error) {
      problem = errorText(error);
      throw error;
    }
    problem = undefined;
    return made;
  });
  const link = async (host: string, audience: string, person: string) => {
    const { sessions, server } = await listen();
    return `http://${host}:${server.port}${OPEN_PATH}#${sessions.link(audience, person)}`;
  };
  return {
    get port() {
      return made?.server.port ?? port;
    },
    get problem() {
      return problem;
    },
    async open(given) {
      ask = given;
      await listen().catch((error) =>
        log.log("warn", `neither the desk nor apps are served: ${errorText(error)}`)
      );
    },
    link: (app, person) => link(`${app}.localhost`, app, person),
    deskLink: () => link("localhost", DESK, OWNER),
    close: async () => await made?.server.stop(),
  };
}

/** A build writes the page's first file anew, whatever else it changes. */
async function pageIn(folder: string) {
  const info = await statIfThere(`${folder}/index.html`);
  return info && { folder, mark: (info.mtime?.getTime() ?? 0).toString(36) };
}

function portOf(): number {
  const port = Number(env("HANDLER_PORT") ?? USUAL_PORT);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : USUAL_PORT;
}

async function originKey(file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!await statIfThere(file)) await writeAtomic(file, crypto.getRandomValues(new Uint8Array(32)));
  return await readBytes(file);
}
