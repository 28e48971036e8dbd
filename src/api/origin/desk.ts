import type { FrontRequest, FrontResponse } from "../../platform/mod.ts";
import { DESK_HEADERS } from "./desk_policy.ts";
import { type AskApi, askApi, refuseUnasked } from "./desk_api.ts";
import { openLink } from "./open_link.ts";
import { OPEN_PATH, signedOut } from "./open_page.ts";
import { notServed, plain, servePage } from "./page.ts";
import { DESK, type OriginSessions } from "./sessions.ts";

/** What the desk is made of. */
export interface DeskParts {
  /** The page's files, and what changes with them; undefined where they are not built. */
  page(): Promise<{ readonly folder: string; readonly mark: string } | undefined>;
  readonly ask: AskApi;
}

/** The only person who sees the desk. */
const OWNER = "owner";
const OPENS = { name: "Handler", command: "handler open" };

/** The desk's origin, `http://localhost:<port>/`: the page's files, and the API below `/v1/`, for the owner alone. */
export class Desk {
  readonly #parts: DeskParts;
  readonly #sessions: OriginSessions;

  constructor(parts: DeskParts, sessions: OriginSessions) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  /** @param origin as browsers write it */
  async request(origin: string, request: FrontRequest, response: FrontResponse): Promise<void> {
    const path = pathOf(request.target);
    if (path === OPEN_PATH) {
      const link = { opens: OPENS, audience: DESK, origin, policy: DESK_HEADERS, sessions: this.#sessions };
      return await openLink(link, request, response);
    }
    const visitor = await this.#sessions.visitor(DESK, request.headers);
    const signedIn = visitor?.person === OWNER;
    if (isApi(path)) {
      if (!signedIn) return await refuseUnasked(response);
      return await askApi(this.#parts.ask, origin, request, response);
    }
    if (!signedIn) return await signedOut(response, OPENS);
    await this.#file(request, response);
  }

  async #file(request: FrontRequest, response: FrontResponse): Promise<void> {
    const page = await this.#parts.page();
    if (page) return await servePage({ ...page, policy: DESK_HEADERS }, request, response);
    await plain(response, 503, "the page is not built: run `deno task prepare`\n", [], DESK_HEADERS);
  }

  /** Another spelling of the desk's address leads to it; what is no page has no business there. */
  async elsewhere(origin: string, request: FrontRequest, response: FrontResponse): Promise<void> {
    const { method, target } = request;
    const isPage = (method === "GET" || method === "HEAD") && !isApi(pathOf(target)) &&
      /^\/[\x21-\x7e]*$/.test(target);
    if (!isPage) return await notServed(response);
    await plain(response, 308, `the desk is at ${origin}/\n`, [["location", origin + target]], DESK_HEADERS);
  }
}

function pathOf(target: string): string {
  return target.split("?", 1)[0]!;
}

function isApi(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/");
}
