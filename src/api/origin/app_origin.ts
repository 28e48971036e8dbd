import { asHandlerError, errorText, HandlerError, type Logger } from "../../base/mod.ts";
import type { FrontRequest, FrontResponse, RawHeader } from "../../platform/mod.ts";
import type { AppServing, RunningBackend } from "../../apps/mod.ts";
import { Exchanges } from "./exchanges.ts";
import { valuesOf } from "./host.ts";
import { openLink } from "./open_link.ts";
import { OPEN_PATH, signedOut } from "./open_page.ts";
import { notServed, plain, servePage } from "./page.ts";
import {
  answerHeaders,
  backendHeaders,
  refusedRequest,
  SECURITY_HEADERS,
  unreadableTarget,
} from "./policy.ts";
import type { OriginSessions } from "./sessions.ts";

/** What the apps' origins are made of. */
export interface AppOriginParts {
  readonly apps: AppServing;
  readonly sessions: OriginSessions;
  readonly log: Logger;
}

/** An app and its origin as browsers write it. */
export interface AppAddress {
  readonly name: string;
  readonly origin: string;
}

/**
 * The apps' origins, `http://<app>.localhost:<port>/` (contract H): page files from here, `/api/` from the app's backend,
 * which is started where it sleeps.
 */
export class AppOrigins {
  readonly #parts: AppOriginParts;
  readonly #exchanges: Exchanges;

  constructor(parts: AppOriginParts) {
    this.#parts = parts;
    this.#exchanges = new Exchanges(parts.apps);
  }

  /** Whether there is a page of an app of this name. */
  has(name: string): boolean {
    return this.#parts.apps.page(name) !== undefined;
  }

  async request({ name, origin }: AppAddress, request: FrontRequest, response: FrontResponse): Promise<void> {
    const { apps, sessions } = this.#parts;
    const page = apps.page(name);
    if (!page) return await notServed(response);
    const path = request.target.split("?", 1)[0]!;
    const opens = { name, command: `handler app open ${name}` };
    if (path === OPEN_PATH) {
      const link = { opens, audience: name, origin, policy: SECURITY_HEADERS, sessions };
      return await openLink(link, request, response);
    }
    const visitor = await sessions.visitor(name, request.headers);
    if (!visitor || !apps.mayUse(name, visitor.person)) return await signedOut(response, opens);
    if (path !== "/api" && !path.startsWith("/api/")) {
      return await servePage({ ...page, policy: SECURITY_HEADERS }, request, response);
    }
    await this.#backend({ name, origin }, visitor.person, request, response);
  }

  async #backend(
    { name, origin }: AppAddress,
    person: string,
    request: FrontRequest,
    response: FrontResponse,
  ): Promise<void> {
    const why = refusedRequest(request, origin) ?? unreadableTarget(request.target);
    if (why) return await plain(response, 403, `${why}\n`);
    using _exchange = this.#exchanges.begin(name, person, request);
    try {
      const headers = backendHeaders(request.headers, name, person);
      for (let last = false; !await this.#attempt(name, headers, last, request, response);) last = true;
    } catch (error) {
      if (request.gone.aborted) return;
      await this.#failed(name, asHandlerError(error), response);
    }
  }

  /** False where the backend has just ended: nothing of the request was taken, so another one can have it. */
  async #attempt(
    name: string,
    headers: readonly RawHeader[],
    last: boolean,
    request: FrontRequest,
    response: FrontResponse,
  ): Promise<boolean> {
    using backend = await this.#parts.apps.acquire(name, request.gone);
    const answer = (status: number, headers: readonly RawHeader[]) => {
      if (isStream(headers)) backend.asStream();
      return answerHeaders(status, headers);
    };
    try {
      const { socket, connections } = backend;
      await response.forward({ socket, connections, path: request.target, headers, answer });
      return true;
    } catch (error) {
      if (last || !(error instanceof HandlerError) || error.kind !== "unreachable") {
        throw brokenOff(name, error, backend);
      }
      await backend.retire();
      return false;
    }
  }

  /** Where the backend cannot answer the page learns why, with the end of the log (seed §4). */
  async #failed(name: string, error: HandlerError, response: FrontResponse): Promise<void> {
    this.#parts.log.log("warn", error.message, { app: name });
    const body = JSON.stringify({
      error: { kind: error.kind, message: error.message, log: error.hint ?? null },
    });
    const headers: RawHeader[] = [["content-type", "application/json"], ["retry-after", "2"], [
      "cache-control",
      "no-store",
    ]];
    await response.send(503, [...headers, ...SECURITY_HEADERS], new TextEncoder().encode(body)).catch(
      () => {},
    );
  }

  async upgrade({ name, origin }: AppAddress, request: FrontRequest) {
    const visitor = await this.#parts.sessions.visitor(name, request.headers);
    const sameOrigin = valuesOf(request.headers, "origin").join() === origin;
    const webSocket = valuesOf(request.headers, "upgrade").join().toLowerCase() === "websocket";
    const api = request.target.startsWith("/api/") && !unreadableTarget(request.target);
    if (!visitor || !this.#parts.apps.mayUse(name, visitor.person) || !sameOrigin || !webSocket || !api) {
      return { refuse: 403 };
    }
    const exchange = this.#exchanges.begin(name, visitor.person, request);
    request.gone.addEventListener("abort", () => exchange[Symbol.dispose](), { once: true });
    const backend = await this.#parts.apps.acquire(name, request.gone);
    backend.asStream();
    request.gone.addEventListener("abort", () => backend[Symbol.dispose](), { once: true });
    const kept = backendHeaders(request.headers, name, visitor.person);
    const headers: RawHeader[] = [...kept, ["Connection", "Upgrade"], ["Upgrade", "websocket"]];
    return { to: { socket: backend.socket, path: request.target, headers } };
  }
}

function isStream(headers: readonly RawHeader[]): boolean {
  return valuesOf(headers, "content-type").some((type) => /^text\/event-stream\b/i.test(type));
}

function brokenOff(app: string, error: unknown, backend: RunningBackend): HandlerError {
  const text = `the app ${app} broke off its answer: ${errorText(error)}`;
  return new HandlerError("unavailable", text, { hint: backend.lastWords(), cause: error });
}
