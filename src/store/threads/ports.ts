import type {
  EffectRow,
  EnvRow,
  FileRow,
  LogRow,
  MessageRole,
  MessageRow,
  SessionRow,
  Side,
  ThreadRow,
  TurnRow,
} from "./records.ts";

/** Reads. Inside a write they see what the same transaction wrote. Rows are copies: change one, then save it. */
export interface ThreadReads {
  thread(id: string): ThreadRow | undefined;
  /** Newest first. */
  threads(query: ThreadQuery): readonly ThreadRow[];
  /** In order of creation. */
  children(parent: string): readonly ThreadRow[];
  countChildren(parent: string): number;
  /** Threads of a project where a message waits for a side, a turn is marked as under way, or that stand in line. */
  unfinished(project: string | undefined): readonly string[];
  message(thread: string, id: string): MessageRow | undefined;
  /** The first top-level row of a role after a place that is not deleted: what waits for the side that acts on it. */
  nextInbound(thread: string, role: MessageRole, afterSeq: number): MessageRow | undefined;
  /** The last top-level row that is not deleted. */
  lastMessage(thread: string, role?: MessageRole): MessageRow | undefined;
  messages(thread: string, query: MessageQuery): readonly MessageRow[];
  countMessages(thread: string, query: Pick<MessageQuery, "includeSilent" | "maxDepth">): number;
  turn(id: string): TurnRow | undefined;
  turns(thread: string, query: PageQuery): readonly TurnRow[];
  log(id: string): LogRow | undefined;
  logs(thread: string, query: PageQuery): readonly LogRow[];
  session(thread: string, number: number): SessionRow | undefined;
  sessions(thread: string): readonly SessionRow[];
  value(thread: string, key: string): string | undefined;
  values(thread: string): readonly { readonly key: string; readonly value: string }[];
  personValue(person: string, key: string): string | undefined;
  personValues(person: string): readonly { readonly key: string; readonly value: string }[];
  env(thread: string): readonly EnvRow[];
  file(thread: string, path: string): FileRow | undefined;
  files(thread: string): readonly FileRow[];
  effect(id: string): EffectRow | undefined;
  /** Pending ones in order of time, the first `limit` where it is given. */
  pendingEffects(thread: string | undefined, limit?: number): readonly EffectRow[];
  /** Those under way, of all threads; after a start they are what a dead daemon left. */
  processingEffects(): readonly EffectRow[];
  /** What changed after a revision, in order of revision; messages that were deleted too. */
  changesAfter(thread: string, rev: number, limit: number): readonly ThreadChange[];
}

/** One changed row. */
export type ThreadChange =
  | { readonly rev: number; readonly kind: "message"; readonly row: MessageRow }
  | { readonly rev: number; readonly kind: "turn"; readonly row: TurnRow }
  | { readonly rev: number; readonly kind: "log"; readonly row: LogRow };

/** Which threads. */
export interface ThreadQuery {
  readonly project?: string;
  readonly agent?: string;
  readonly person?: string;
  /** `null` for those that are nobody's child. */
  readonly parent?: string | null;
  readonly status?: ThreadRow["status"];
  /** Whether those that are terminated, or those that are not. */
  readonly ended?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Which part of a list, and from which end. */
export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
  readonly order: "asc" | "desc";
  /** Only rows behind this place of the thread: their `seq` is larger. */
  readonly after?: number;
  /** Only rows that stand before this place. */
  readonly before?: number;
}

/** Which messages. `asc` with an offset of 0 starts at the oldest. */
export interface MessageQuery extends PageQuery {
  readonly includeSilent: boolean;
  /** 0 for the conversation alone. */
  readonly maxDepth: number;
}

/** Writes; each is one statement. The caller gives out sequence numbers from {@linkcode ThreadRow.seq} and saves the thread. */
export interface ThreadWrites extends ThreadReads {
  insertThread(row: ThreadRow): void;
  /** Writes every field that may change. */
  saveThread(row: ThreadRow): void;
  /**
   * Removes a thread: nothing finds it any more. What is its own goes with {@linkcode ThreadWrites.sweep}; children are
   * the caller's affair.
   */
  removeThread(id: string): void;
  /** Removes for some milliseconds what threads that were removed have left. @returns whether there may be more */
  sweep(): boolean;
  insertMessage(row: MessageRow): void;
  /** Writes `rev`, `content`, `metadata`, `attachments`, `deleted`. */
  saveMessage(row: MessageRow): void;
  insertTurn(row: TurnRow): void;
  /** Writes `rev`, `state`, `endedAt`, `stopCode`, `error`. */
  saveTurn(row: TurnRow): void;
  insertLog(row: LogRow): void;
  /** Writes `rev`, `complete`, `latencyMs`, `error`, `data`. */
  saveLog(row: LogRow): void;
  putSession(row: SessionRow): void;
  /** Undefined removes it. */
  putValue(thread: string, key: string, value: string | undefined): void;
  putPersonValue(person: string, key: string, value: string | undefined): void;
  putEnv(thread: string, row: EnvRow): void;
  putFile(row: FileRow): void;
  removeFile(thread: string, path: string): void;
  insertEffect(row: EffectRow): void;
  /** Writes `state` and `error`. */
  saveEffect(row: EffectRow): void;
}

/** How much a write has to outlive: a power cut, or a killed process alone (the next durable write makes it last). */
export type Durability = "power" | "process";

/** All threads of a person, in one SQLite file with one writer. */
export interface ThreadStore extends ThreadReads, Disposable {
  /**
   * Runs `work` in a transaction with whatever else is asked for in the same moment (group commit), in the order of
   * asking. It must be synchronous, touch nothing but the database, and stand being run twice: where another work of
   * the group fails, all are taken back and run one by one.
   *
   * @returns when it is committed with the durability asked for
   * @throws what `work` throws, with nothing of it written; {@linkcode HandlerError} where the disk refuses
   */
  write<T>(durability: Durability, work: (tx: ThreadWrites) => T): Promise<T>;
  /** The store as it is now, whatever is written later (one in memory shows that too). Dispose of it soon. */
  snapshot(): StoreSnapshot;
  /** Writes what waits, and closes the file. */
  close(): void;
}

/** Reads of one moment. */
export interface StoreSnapshot extends ThreadReads, Disposable {}

/** The watermark of a side. */
export function seen(row: ThreadRow, side: Side): number {
  return side === "a" ? row.seenA : row.seenB;
}
