import { asHandlerError, type Clock, errorText, HandlerError, type Logger } from "../../base/mod.ts";
import {
  type FrontRequest,
  type FrontResponse,
  type FrontServer,
  type RawHeader,
  serveFront,
} from "../../platform/mod.ts";
import type { AppServing, RunningBackend } from "../../apps/mod.ts";
import { Exchanges } from "./exchanges.ts";
import { originOf, valuesOf } from "./host.ts";
import { OPEN_PATH, opener, signedOut } from "./open_page.ts";
import { plain, servePage } from "./page.ts";
import { answerHeaders, backendHeaders, refusedRequest, SECURITY_HEADERS } from "./policy.ts";
import type { OriginSessions } from "./sessions.ts";

/** What the apps' origins are made of. */
export interface OriginParts {
  readonly apps: AppServing;
  readonly sessions: OriginSessions;
  readonly clock: Clock;
  readonly log: Logger;
  /** 7430; 0 takes a free one. */
  readonly port: number;
}

/**
 * Serves every app under its own origin, `http://<app>.localhost:<port>/` (contract H): page files from here, `/api/` from
 * the app's backend, which is started where it sleeps.
 */
export async function serveOrigins(parts: OriginParts): Promise<FrontServer> {
  const origins = new Origins(parts);
  const server = await serveFront(parts.port, {
    request: (request, response) => origins.request(request, response),
    upgrade: (request) => origins.upgrade(request),
  });
  origins.port = server.port;
  return server;
}

class Origins {
  readonly #parts: OriginParts;
  readonly #exchanges: Exchanges;
  port: number;

  constructor(parts: OriginParts) {
    this.#parts = parts;
    this.#exchanges = new Exchanges(parts.apps);
    this.port = parts.port;
  }

  async request(request: FrontRequest, response: FrontResponse): Promise<void> {
    const origin = originOf(request.headers, request.target, this.port);
    const page = origin?.kind === "app" ? this.#parts.apps.page(origin.name) : undefined;
    if (origin?.kind !== "app" || !page) {
      return await plain(response, 421, "this address is not served here\n");
    }
    const { name } = origin;
    const path = request.target.split("?", 1)[0]!;
    if (path === OPEN_PATH) return await this.#open(name, request, response);
    const visitor = await this.#parts.sessions.visitor(name, request.headers);
    if (!visitor || !this.#parts.apps.mayUse(name, visitor.person)) return await signedOut(response, name);
    if (path !== "/api" && !path.startsWith("/api/")) return await servePage(page, request, response);
    await this.#backend(name, visitor.person, request, response);
  }

  /** A link is spent by a POST of its own page, so that a prefetch of the link does not burn it (contract H.2). */
  async #open(name: string, request: FrontRequest, response: FrontResponse): Promise<void> {
    if (request.method === "GET") return await opener(response, name);
    const why = request.method === "POST"
      ? refusedRequest(request, this.#originText(name))
      : "a link is opened by a click";
    if (why) return await plain(response, 403, `${why}\n`);
    const cookie = await this.#parts.sessions.spend(name, (await request.text(1024)).trim());
    if (!cookie) return await plain(response, 403, "this link is used up or too old\n");
    await response.send(204, [cookie, ["cache-control", "no-store"], ...SECURITY_HEADERS]);
  }

  async #backend(
    name: string,
    person: string,
    request: FrontRequest,
    response: FrontResponse,
  ): Promise<void> {
    const why = refusedRequest(request, this.#originText(name)) ?? badTarget(request.target);
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

  async upgrade(request: FrontRequest) {
    const origin = originOf(request.headers, request.target, this.port);
    if (origin?.kind !== "app" || !this.#parts.apps.page(origin.name)) return { refuse: 421 };
    const { name } = origin;
    const visitor = await this.#parts.sessions.visitor(name, request.headers);
    const sameOrigin = valuesOf(request.headers, "origin").join() === this.#originText(name);
    const webSocket = valuesOf(request.headers, "upgrade").join().toLowerCase() === "websocket";
    const api = request.target.startsWith("/api/") && !badTarget(request.target);
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

  #originText(name: string): string {
    return `http://${name}.localhost:${this.port}`;
  }
}

function isStream(headers: readonly RawHeader[]): boolean {
  return valuesOf(headers, "content-type").some((type) => /^text\/event-stream\b/i.test(type));
}

function brokenOff(app: string, error: unknown, backend: RunningBackend): HandlerError {
  const text = `the app ${app} broke off its answer: ${errorText(error)}`;
  return new HandlerError("unavailable", text, { hint: backend.lastWords(), cause: error });
}

/** A path that another reader could take for a different one. */
function badTarget(target: string): string | undefined {
  return /[\p{Cc} \\]|%(?:0[0-9a-f]|1[0-9a-f]|5c)|\/\.{1,2}(?:\/|$)/iu.test(target)
    ? "this path cannot be read"
    : undefined;
}
