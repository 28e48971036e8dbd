import { HandlerError } from "../base/mod.ts";
import type { FileRow } from "../store/mod.ts";
import type { ThreadsApi } from "../threads/mod.ts";
import type { DefinitionProblem, DefinitionSet } from "../wire/mod.ts";

/** Threads and what their outside needs besides. */
export interface ThreadParts {
  readonly threads: ThreadsApi;
  readonly threadFiles: ThreadFiles;
}

/** What lies around threads: their files, and the type registry of their definitions. */
export interface ThreadFiles {
  list(thread: string): readonly FileRow[];
  /** @throws {HandlerError} `not_found` */
  read(thread: string, path: string): Promise<Uint8Array>;
  /** Texts of files by their paths from the project's folder. */
  types(
    definitions: DefinitionSet,
    problems: readonly DefinitionProblem[],
  ): Readonly<Record<string, string>>;
}

/** The threads of all projects. */
export function loadThreads(): ThreadParts {
  const none = new Proxy({}, {
    get: () => () => {
      throw new HandlerError("unavailable", "there are no threads here yet");
    },
  });
  return { threads: none as ThreadsApi, threadFiles: none as ThreadFiles };
}
