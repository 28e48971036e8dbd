import type { Json } from "../base/mod.ts";
import type { DefinitionProblem, DefinitionSet, SubagentEntry, WireMessage } from "../wire/mod.ts";
import type {
  EffectRow,
  EnvRow,
  LogRow,
  MessageRole,
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

/** What stands behind a side. */
export interface ThreadSide {
  readonly backing: "human" | "prompt" | "handler";
  /** The prompt's or handler's. */
  readonly name: string | null;
  /** What the agent calls the side. */
  readonly label: string | null;
}

/** What a thread is and does, as it is shown. */
export interface ThreadView {
  readonly thread: ThreadRow;
  /** By the definitions, else by the last turns; null where neither tells. */
  readonly sides: { readonly a: ThreadSide | null; readonly b: ThreadSide | null };
  readonly children: readonly SubagentEntry[];
  /** Messages that wait for a turn. */
  readonly waiting: number;
  readonly messages: number;
}

/** A thread of a list, with what tells it from others. */
export interface ThreadEntry extends ThreadRow {
  readonly children: number;
  /** The last word of a side, cut to {@linkcode LAST_SAID} characters. */
  readonly last: { readonly role: MessageRole; readonly text: string; readonly at: number } | null;
}

/** A message with its place in its thread, and the turn that wrote it; null for what came from outside. */
export interface ThreadMessage extends WireMessage {
  readonly seq: number;
  readonly turn: string | null;
}

/** Which messages of a thread. With `after` those that follow it are given, oldest first, else the newest ones. */
export interface ThreadMessageQuery extends PageQuery {
  readonly includeSilent: boolean;
  /** How deep into sub-prompts; 0 for the conversation alone. */
  readonly maxDepth?: number;
}

/** What a thread keeps beside its messages. Texts are JSON; the value of a secret variable stays where it is. */
export interface ThreadKept {
  readonly values: readonly { readonly key: string; readonly value: string }[];
  readonly variables: readonly {
    readonly name: string;
    readonly type: EnvRow["type"];
    readonly value: string | null;
  }[];
  /** Those that are pending, the next one first. */
  readonly effects: readonly EffectRow[];
}

/** Something that a watcher is told. What has an `id` can be asked for again from there; the rest is of the moment. */
export type WatchEvent =
  | { readonly id: number; readonly event: "change"; readonly change: ThreadChange }
  | { readonly id: number; readonly event: "thread"; readonly thread: ThreadRow }
  /**
   * What a prompt does at this moment, kept nowhere: its `type` says what. With `piece`, the `text` of an answer that is
   * being made: `at` UTF-16 units of it came before, the message will have the id `message`, it is written by `turn`. With
   * `text` the whole of it, with `void` that none of it will be a message.
   */
  | { readonly event: "delta"; readonly data: Json }
  /** A definition's own `emit`. */
  | { readonly event: "custom"; readonly name: string; readonly data: Json };

/** Everything that can be asked of threads from outside. Errors are {@linkcode HandlerError}s of kind `not_found`, `usage`, `conflict`. */
export interface ThreadsApi {
  create(input: NewThread): Promise<ThreadRow>;
  /** @returns when the message is on disk. @throws `conflict` for a thread that is terminated */
  send(thread: string, message: SentMessage): Promise<WireMessage>;
  list(query: ThreadQuery): readonly ThreadEntry[];
  show(thread: string): ThreadView;
  messages(thread: string, query: ThreadMessageQuery): readonly ThreadMessage[];
  message(thread: string, message: string): ThreadMessage;
  kept(thread: string): ThreadKept;
  /** Takes an effect back that is pending. @throws `conflict` for one that is not */
  cancelEffect(thread: string, effect: string): Promise<void>;
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
