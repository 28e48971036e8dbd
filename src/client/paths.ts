import { HandlerError, type Json } from "../base/mod.ts";

/** A request that carries JSON. */
export function post(json: Json) {
  return { method: "POST", json } as const;
}

/** A name as one step of a path, whatever it holds; a URL would swallow the few that are refused. */
export function part(name: string): string {
  if (/^\.{0,2}$/.test(name)) {
    throw new HandlerError("usage", `nothing is ever named ${JSON.stringify(name)}`);
  }
  return encodeURIComponent(name);
}
