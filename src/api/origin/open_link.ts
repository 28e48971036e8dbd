import type { FrontRequest, FrontResponse, RawHeader } from "../../platform/mod.ts";
import { opener, type Opens } from "./open_page.ts";
import { plain } from "./page.ts";
import { refusedRequest } from "./policy.ts";
import type { OriginSessions } from "./sessions.ts";

/** What is opened, by what, and where. */
export interface OpenLink {
  readonly opens: Opens;
  /** The app's name, or `DESK`. */
  readonly audience: string;
  /** Its origin as browsers write it. */
  readonly origin: string;
  readonly policy: readonly RawHeader[];
  readonly sessions: OriginSessions;
}

/** A link is spent by a POST of its own page, so that a prefetch of the link does not burn it (contract H.2). */
export async function openLink(
  link: OpenLink,
  request: FrontRequest,
  response: FrontResponse,
): Promise<void> {
  if (request.method === "GET") return await opener(response, link.opens);
  const why = request.method === "POST"
    ? refusedRequest(request, link.origin)
    : "a link is opened by a click";
  if (why) return await plain(response, 403, `${why}\n`, [], link.policy);
  const cookie = await link.sessions.spend(link.audience, (await request.text(1024)).trim());
  if (!cookie) return await plain(response, 403, "this link is used up or too old\n", [], link.policy);
  await response.send(204, [cookie, ["cache-control", "no-store"], ...link.policy]);
}
