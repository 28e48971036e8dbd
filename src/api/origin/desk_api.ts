import { HandlerError } from "../../base/mod.ts";
import type { FrontRequest, FrontResponse, RawHeader } from "../../platform/mod.ts";
import { errorResponse } from "../errors.ts";
import { DESK_DATA_HEADERS, refusedAtDesk } from "./desk_policy.ts";
import { valuesOf } from "./host.ts";
import { unreadableTarget } from "./policy.ts";

/** Asks the daemon's API for the owner, whoever that was found to be before. */
export type AskApi = (request: Request) => Promise<Response>;

/** What is the connection's or the origin's own business. */
const KEPT_BACK = new Set([
  ...[
    "host",
    "cookie",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "upgrade",
    "te",
    "trailer",
    "expect",
  ],
]);

/** Others, such as TRACE, no `Request` can even carry. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]);

/** Hands a request of the desk's page on to the API, and the answer back, both while they come. */
export async function askApi(
  ask: AskApi,
  origin: string,
  request: FrontRequest,
  response: FrontResponse,
): Promise<void> {
  const why = refusedAtDesk(request, origin) ?? unreadableTarget(request.target);
  if (why !== undefined) return await send(response, errorResponse(new HandlerError("denied", why)), request);
  if (!METHODS.has(request.method)) {
    const error = new HandlerError("usage", `the API takes ${[...METHODS].join(", ")}`);
    return await send(response, errorResponse(error, 405), request);
  }
  await send(response, await ask(asRequest(request, origin)), request);
}

/** What a window without a good cookie gets of the API. */
export async function refuseUnasked(response: FrontResponse): Promise<void> {
  const error = new HandlerError("denied", "this window is not signed in (any more)", {
    hint: "open it again with: handler open",
  });
  await send(response, errorResponse(error, 401), undefined);
}

function asRequest(request: FrontRequest, origin: string): Request {
  const { method, target, headers, gone } = request;
  const kept = headers.filter(([name]) => !KEPT_BACK.has(name.toLowerCase()));
  const init = {
    method: method === "HEAD" ? "GET" : method,
    headers: kept.map(([...pair]) => pair),
    signal: gone,
  };
  const body = hasBody(request) ? { body: streamOf(request.pieces()), duplex: "half" } : {};
  return new Request(origin + target, { ...init, ...body });
}

function hasBody({ method, headers }: FrontRequest): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const length = Number(valuesOf(headers, "content-length")[0] ?? 0);
  return length > 0 || valuesOf(headers, "transfer-encoding").length > 0;
}

function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await source.return?.(),
  }, { highWaterMark: 0 });
}

/** An answer is given up as soon as nobody waits for it, so that what makes it stops too. */
async function send(
  response: FrontResponse,
  answer: Response,
  request: FrontRequest | undefined,
): Promise<void> {
  const headers: RawHeader[] = [...answer.headers, ...DESK_DATA_HEADERS];
  if (request?.gone.aborted || request?.method === "HEAD") await answer.body?.cancel();
  if (request?.gone.aborted) return;
  const body = request?.method === "HEAD" || !answer.body ? undefined : piecesOf(answer.body, request?.gone);
  await response.send(answer.status, headers, body);
}

async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  gone: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const leave = () => void reader.cancel(gone?.reason).catch(() => {});
  gone?.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    gone?.removeEventListener("abort", leave);
    leave();
  }
}
