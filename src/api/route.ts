import type { Context } from "hono";
import type { Guard } from "./guard.ts";
import type { Actor } from "./ports.ts";

/** What every handler finds in its context. */
export interface ApiEnvironment {
  /** What judges the request: the door that it came in by. */
  readonly Bindings: { readonly guard?: Guard };
  readonly Variables: { readonly actor: Actor };
}

/** A request under way. */
export type ApiContext = Context<ApiEnvironment>;

/** One thing that can be asked of the daemon. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** From the root, parameters as `:name`. */
  readonly path: string;
  handle(context: ApiContext): Promise<Response>;
}

/** A path's parameter, decoded. */
export function parameter(context: ApiContext, name: string): string {
  return context.req.param(name) ?? "";
}

/** Data as the answer. */
export function data(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** The answer to what changed something and has nothing to tell. */
export function done(): Response {
  return new Response(null, { status: 204 });
}

/** The answer to what made something, and where that is found from now on. */
export function made(value: unknown, location: string): Response {
  return data(value, 201, { location });
}
