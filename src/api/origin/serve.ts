import type { Logger } from "../../base/mod.ts";
import { type FrontRequest, type FrontResponse, type FrontServer, serveFront } from "../../platform/mod.ts";
import type { AppServing } from "../../apps/mod.ts";
import { AppOrigins } from "./app_origin.ts";
import { Desk, type DeskParts } from "./desk.ts";
import { originOf } from "./host.ts";
import { notServed } from "./page.ts";
import type { OriginSessions } from "./sessions.ts";

/** What the origins are made of. */
export interface OriginParts {
  readonly apps: AppServing;
  readonly desk: DeskParts;
  readonly sessions: OriginSessions;
  readonly log: Logger;
  /** 7430; 0 takes a free one. */
  readonly port: number;
}

/** Serves the desk at `http://localhost:<port>/`, and every app under an origin of its own (contract H.1). */
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
  readonly #desk: Desk;
  readonly #apps: AppOrigins;
  port: number;

  constructor(parts: OriginParts) {
    this.#desk = new Desk(parts.desk, parts.sessions);
    this.#apps = new AppOrigins(parts);
    this.port = parts.port;
  }

  async request(request: FrontRequest, response: FrontResponse): Promise<void> {
    const origin = originOf(request.headers, request.target, this.port);
    const desk = `http://localhost:${this.port}`;
    if (origin?.kind === "desk") return await this.#desk.request(desk, request, response);
    if (origin?.kind === "loopback") return await this.#desk.elsewhere(desk, request, response);
    if (!origin) return await notServed(response);
    await this.#apps.request(this.#address(origin.name), request, response);
  }

  async upgrade(request: FrontRequest) {
    const origin = originOf(request.headers, request.target, this.port);
    if (origin?.kind !== "app" || !this.#apps.has(origin.name)) return { refuse: 421 };
    return await this.#apps.upgrade(this.#address(origin.name), request);
  }

  #address(name: string) {
    return { name, origin: `http://${name}.localhost:${this.port}` };
  }
}
