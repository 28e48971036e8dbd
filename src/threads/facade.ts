import type { Json } from "../base/mod.ts";
import type { DefinitionProblem, DefinitionSet, SubagentEntry, WireMessage } from "../wire/mod.ts";
import type {
  LogRow,
  PageQuery,
  SessionRow,
  Side,
  ThreadChange,
  ThreadQuery,
  ThreadRow,
  TurnRow,
} from "../store/mod.ts";

/** What a new thread is made from. */
export interface NewThread {
  readonly project: string;
  readonly agent: string;
  readonly person: string | null;
  readonly title: string | null;
  readonly arguments: { readonly [key: string]: Json };
  readonly env: Readonly<Record<string, string>>;
}

/** A message from outside: a person's, a script's. */
export interface SentMessage {
  readonly content: string;
  /** The side that it is said for; the human one where an agent has one, else B. */
  readonly side: Side | undefined;
  readonly metadata: { readonly [key: string]: Json } | undefined;
  /** Paths of the thread's files: `/attachments/scan.pdf`. */
  readonly attachments: readonly string[];
}

/** What a thread is and does, as it is shown. */
export interface ThreadView {
  readonly thread: ThreadRow;
  readonly children: readonly SubagentEntry[];
  /** Messages that wait for a turn. */
  readonly waiting: number;
  readonly messages: number;
}

/** Something that a watcher is told. What has an `id` can be asked for again from there; the rest is of the moment. */
export type WatchEvent =
  | { readonly id: number; readonly event: "change"; readonly change: ThreadChange }
  | { readonly id: number; readonly event: "thread"; readonly thread: ThreadRow }
  /** A piece of a model's answer, or of a tool's progress. */
  | { readonly event: "delta"; readonly data: Json }
  /** A definition's own `emit`. */
  | { readonly event: "custom"; readonly name: string; readonly data: Json };

/** Everything that can be asked of threads from outside. Errors are {@linkcode HandlerError}s of kind `not_found`, `usage`, `conflict`. */
export interface ThreadsApi {
  create(input: NewThread): Promise<ThreadRow>;
  /** @returns when the message is on disk. @throws `conflict` for a thread that is terminated */
  send(thread: string, message: SentMessage): Promise<WireMessage>;
  list(query: ThreadQuery): readonly ThreadRow[];
  show(thread: string): ThreadView;
  messages(thread: string, query: PageQuery & { readonly includeSilent: boolean }): readonly WireMessage[];
  turns(thread: string, query: PageQuery): readonly TurnRow[];
  logs(thread: string, query: PageQuery): readonly LogRow[];
  sessions(thread: string): readonly SessionRow[];
  /** What changes after a revision (0 for all), and goes on until the signal. */
  watch(thread: string, after: number, signal: AbortSignal): AsyncIterable<WatchEvent>;
  /** Aborts the turn under way and lets what waits wait. */
  stop(thread: string): Promise<void>;
  /** Takes {@linkcode ThreadsApi.stop} back. */
  resume(thread: string): Promise<void>;
  terminate(thread: string): Promise<void>;
  /** Removes a thread with its children. */
  remove(thread: string): Promise<void>;
  /** The definitions of a project as they are on disk now, and what is wrong with them. */
  check(
    project: string,
  ): Promise<{ readonly definitions: DefinitionSet; readonly problems: readonly DefinitionProblem[] }>;
  /** A thread and its children as JSON lines. */
  export(thread: string): AsyncIterable<string>;
  /** Brings back what {@linkcode ThreadsApi.export} gave; ids that are taken are a conflict. @returns the thread's id */
  import(lines: AsyncIterable<string>, project: string | undefined): Promise<string>;
  /** Puts a file into a thread. */
  putFile(thread: string, path: string, mimeType: string, bytes: Uint8Array): Promise<void>;
}
