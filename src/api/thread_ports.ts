import type {
  FileRow,
  LogRow,
  PageQuery,
  SessionRow,
  ThreadQuery,
  ThreadRow,
  TurnRow,
} from "../store/mod.ts";
import type {
  NewThread,
  SentMessage,
  ThreadEntry,
  ThreadKept,
  ThreadMessage,
  ThreadMessageQuery,
  ThreadView,
  WatchEvent,
} from "../threads/mod.ts";
import type { WireMessage } from "../wire/mod.ts";
import type { Problem } from "./ports.ts";

export type {
  EffectRow,
  FileRow,
  LogRow,
  MessageRow,
  PageQuery,
  SessionRow,
  Side,
  ThreadChange,
  ThreadQuery,
  ThreadRow,
  TurnRow,
} from "../store/mod.ts";
export type {
  NewThread,
  SentMessage,
  ThreadEntry,
  ThreadKept,
  ThreadMessage,
  ThreadMessageQuery,
  ThreadSide,
  ThreadView,
  WatchEvent,
} from "../threads/mod.ts";
export type { SubagentEntry, WireMessage } from "../wire/mod.ts";

/** A definition as `handler threads list` shows it. */
export interface DefinitionView {
  readonly kind: "agent" | "prompt" | "model" | "tool" | "hook" | "effect" | "handler";
  readonly name: string;
  readonly description: string;
  /** From the project's folder. */
  readonly file: string;
}

/** What is wrong or doubtful in a project's definitions. */
export interface DefinitionProblemView extends Problem {
  readonly severity: "error" | "warning";
}

/** A project's definitions as they are on disk now. */
export interface DefinitionsView {
  readonly definitions: readonly DefinitionView[];
  readonly problems: readonly DefinitionProblemView[];
}

/** Files for a project's folder. */
export interface TypeFiles {
  /** Paths from the project's folder. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What a person must do by hand. */
  readonly remarks: readonly string[];
}

/** Threads, as the daemon offers them to its owner (contract T). Times of rows are microseconds. */
export interface ThreadOperations {
  threadsCheck(project: string): Promise<DefinitionsView>;
  /** The type registry of a project: what to write so that a plain `deno check` of it knows its names. */
  threadsTypes(project: string): Promise<TypeFiles>;
  threads(query: ThreadQuery): Promise<readonly ThreadEntry[]>;
  threadNew(input: NewThread): Promise<ThreadRow>;
  thread(id: string): Promise<ThreadView>;
  threadSend(id: string, message: SentMessage): Promise<WireMessage>;
  threadMessages(id: string, query: ThreadMessageQuery): Promise<readonly ThreadMessage[]>;
  threadMessage(id: string, message: string): Promise<ThreadMessage>;
  threadTurns(id: string, query: PageQuery): Promise<readonly TurnRow[]>;
  threadLogs(id: string, query: PageQuery): Promise<readonly LogRow[]>;
  threadSessions(id: string): Promise<readonly SessionRow[]>;
  /** What changes after a revision, without end; one that breaks off is taken up again from the last `id`. */
  threadWatch(id: string, after: number, signal: AbortSignal): AsyncIterable<WatchEvent>;
  threadStop(id: string): Promise<void>;
  threadResume(id: string): Promise<void>;
  threadTerminate(id: string): Promise<void>;
  threadRemove(id: string): Promise<void>;
  /** A thread and its children, a line of JSON each. */
  threadExport(id: string, signal: AbortSignal): AsyncIterable<string>;
  /**
   * @param lines what an export gave; a browser gives its `File` as it is
   * @param project in place of the one that it came from
   */
  threadImport(lines: AsyncIterable<string> | Blob, project: string | null): Promise<{ readonly id: string }>;
  threadKept(id: string): Promise<ThreadKept>;
  /** Takes an effect back that is pending; one that is not is a conflict. */
  threadEffectCancel(id: string, effect: string): Promise<void>;
  threadFiles(id: string): Promise<readonly FileRow[]>;
  threadFile(id: string, path: string): Promise<Uint8Array>;
  threadPutFile(id: string, path: string, mimeType: string, bytes: Uint8Array): Promise<void>;
}
