import { Refusal } from "./refusal.ts";

/** What a route gave, as a response. */
export function answer(value: unknown): Response {
  if (value instanceof Response) return value;
  if (value === undefined) return new Response(null, { status: 204 });
  return json(200, value);
}

/** What a route threw, as a response; `log` takes what only the app's author may see. */
export function failure(error: unknown, log: (text: string) => void): Response {
  if (error instanceof Refusal) return json(error.status, { error: error.message });
  log(error instanceof Error ? error.stack ?? error.message : String(error));
  return json(500, { error: "the app failed; its log says why" });
}

/** A JSON response; it is about now, so nobody keeps it. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store", ...headers } });
}
