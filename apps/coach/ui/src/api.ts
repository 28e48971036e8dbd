import { overPort } from "./remote.ts";

/** A request as it travels, whichever way. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | undefined;
  readonly signal: AbortSignal | undefined;
}

/** An answer as it travels. */
export interface ApiResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Blob;
}

/** What is sent along with a route. */
export interface Sent {
  readonly json?: unknown;
  /** A file, instead of `json`. */
  readonly file?: Blob;
  /** Kept for a second try of the same thing, so that the backend does it once. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** The answer to a call of a queued route while the person's computer is off. */
export interface Queued {
  readonly queued: true;
}

/** The backend, or Handler in its place, said no. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Calls the backend and gives what it answered: `await api<Note[]>("GET /api/notes")`. This is the page's only way out:
 * on the desk it is a `fetch`, on a phone the same call travels sealed, through the client that shows the page.
 * @throws {ApiError} in words that a person can read
 */
export async function api<T = void>(route: string, sent: Sent = {}): Promise<T> {
  const { type, body } = await apiRaw(route, sent);
  return (type.startsWith("application/json") ? JSON.parse(await body.text()) : undefined) as T;
}

/** As {@linkcode api}, for an answer that is a file. */
export async function apiFile(route: string, sent: Sent = {}): Promise<Blob> {
  return (await apiRaw(route, sent)).body;
}

/** Whether a call waits for the person's computer to be back. */
export function isQueued(answer: unknown): answer is Queued {
  return typeof answer === "object" && answer !== null && (answer as Partial<Queued>).queued === true;
}

/** A page that came through a phone's client has no origin of its own. */
const transport = globalThis.origin === "null" ? overPort() : overFetch;

async function apiRaw(route: string, { json, file, key, signal }: Sent): Promise<ApiResponse> {
  const [method = "GET", path = ""] = route.split(" ");
  const headers: Record<string, string> = {};
  if (key !== undefined) headers["idempotency-key"] = key;
  if (json !== undefined) headers["content-type"] = "application/json";
  else if (file) headers["content-type"] = file.type || "application/octet-stream";
  const body = json === undefined ? file : JSON.stringify(json);
  const response = await transport({ method, path, headers, body, signal });
  if (response.status >= 400) throw new ApiError(response.status, await reasonIn(response));
  return response;
}

async function overFetch({ path, ...init }: ApiRequest): Promise<ApiResponse> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, body: init.body ?? null, signal: init.signal ?? null });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "Handler does not answer. Is it running?");
  }
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, body: await response.blob() };
}

/** The backend's `{ "error": … }`; what is no JSON comes from somebody else and is no text for a page. */
async function reasonIn({ status, type, body }: ApiResponse): Promise<string> {
  if (type.startsWith("application/json")) {
    const { error, message } = JSON.parse(await body.text());
    const reason = message ?? error;
    if (typeof reason === "string") return reason;
  }
  return status === 401 || status === 403
    ? "You are no longer signed in. Open the app again from Handler."
    : `The app answered with an error (${status}).`;
}
