import { type AskApi, DESK, OriginSessions, serveOrigins } from "../../src/api/mod.ts";
import type { AppServing } from "../../src/apps/mod.ts";
import { silentLogger, systemClock } from "../../src/base/mod.ts";

/** No app is installed. */
const NO_APPS: AppServing = {
  page: () => undefined,
  mayUse: () => false,
  onAccess: () => {},
  acquire: () => Promise.reject(new Error("there is no app")),
};

/** The desk on a free port, with an API of the test's own. */
export interface ServedDesk extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  readonly sessions: OriginSessions;
  /** The cookie of who is signed in. */
  readonly cookie: string;
}

/** Serves the desk. @param folder of the page */
export async function serveDesk(ask: AskApi, folder?: string): Promise<ServedDesk> {
  const sessions = await OriginSessions.make(systemClock, new Uint8Array(32).fill(7));
  const page = () => Promise.resolve(folder === undefined ? undefined : { folder, mark: "m1" });
  const parts = { apps: NO_APPS, desk: { page, ask }, sessions, log: silentLogger, port: 0 };
  const server = await serveOrigins(parts);
  const set = await sessions.spend(DESK, sessions.link(DESK, "owner"));
  return {
    port: server.port,
    origin: `http://localhost:${server.port}`,
    sessions,
    cookie: set![1].split(";")[0]!,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
