import { HandlerError } from "../base/mod.ts";
import type { ThreadsPorts } from "./ports.ts";

/** A thread and its children as JSON lines. */
export async function* exportThread(_ports: ThreadsPorts, id: string): AsyncGenerator<string> {
  throw new HandlerError("unavailable", `the thread ${id} cannot be exported`);
}

/** Brings back what {@linkcode exportThread} gave. */
export function importThread(
  _ports: ThreadsPorts,
  _lines: AsyncIterable<string>,
  _project: string | undefined,
): Promise<string> {
  return Promise.reject(new HandlerError("unavailable", "threads cannot be imported"));
}
