import { dirname } from "node:path";
import { ensureFolder, type HttpServer, serveHttpUnix, setMode } from "../platform/mod.ts";
import type { Api } from "./app.ts";
import { pageActor, socketActor } from "./guard.ts";
import type { AskApi } from "./origin/desk_api.ts";

/**
 * Serves the API on a unix socket. The socket's folder is made the owner's alone (mode 0700) first, for who can reach
 * the socket is the owner.
 */
export async function serveApi(app: Api, socketPath: string): Promise<HttpServer> {
  const folder = dirname(socketPath);
  await ensureFolder(folder);
  await setMode(folder, 0o700);
  return await serveHttpUnix(socketPath, (request) => app.fetch(request, { guard: socketActor }));
}

/** The same API for the desk's origin, which has judged a request before it asks. */
export function apiForPage(app: Api): AskApi {
  return async (request) => await app.fetch(request, { guard: pageActor });
}
