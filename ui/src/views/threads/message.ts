import type { Json, MessageRow, ThreadMessage } from "$client";

/** A tool that a message asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As they were given: a value, or its text. */
  readonly arguments: Json;
}

/** A file that a message carries. */
export interface Attachment {
  /** `/attachments/scan.pdf`. */
  readonly path: string;
  readonly mimeType: string;
  /** Bytes, where they are told. */
  readonly size: number | undefined;
}

/** A message as the view shows it, wherever it came from. Times are milliseconds since 1970. */
export interface Message {
  readonly id: string;
  /** Its place in the thread. */
  readonly seq: number;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly name: string | null;
  readonly calls: readonly ToolCall[];
  /** Of a tool's answer: which call it answers, and how it went. */
  readonly callId: string | null;
  readonly toolStatus: "success" | "error" | null;
  readonly at: number;
  readonly silent: boolean;
  readonly attachments: readonly Attachment[];
  /** 0 for the conversation itself, more inside sub-prompts. */
  readonly depth: number;
  /** The turn that wrote it; null for what came from outside. */
  readonly turn: string | null;
  /** The child that it came from. */
  readonly subagent: string | null;
  /** What came with it, as it was sent. */
  readonly metadata: { readonly [key: string]: Json } | undefined;
}

/** A message of a list. */
export function ofWire(one: ThreadMessage): Message {
  return {
    id: one.id,
    seq: one.seq,
    role: one.role,
    content: one.content ?? "",
    name: one.name ?? null,
    calls: parsed<readonly ToolCall[]>(one.tool_calls) ?? [],
    callId: one.tool_call_id ?? null,
    toolStatus: one.tool_status ?? null,
    at: one.created_at / 1000,
    silent: one.silent ?? false,
    attachments: attachmentsOf(one.attachments ?? []),
    depth: one.depth ?? 0,
    turn: one.turn,
    subagent: subagentOf(one.metadata),
    metadata: one.metadata,
  };
}

/** A message that has changed, or come. */
export function ofRow(row: MessageRow): Message {
  const metadata = parsed<{ readonly [key: string]: Json }>(row.metadata);
  return {
    id: row.id,
    seq: row.seq,
    role: row.role,
    content: row.content ?? "",
    name: row.name,
    calls: parsed<readonly ToolCall[]>(row.toolCalls) ?? [],
    callId: row.toolCallId,
    toolStatus: row.toolStatus,
    at: row.createdAt / 1000,
    silent: row.silent,
    attachments: attachmentsOf(parsed<readonly unknown[]>(row.attachments) ?? []),
    depth: row.depth,
    turn: row.turn,
    subagent: subagentOf(metadata),
    metadata,
  };
}

/** Whether a message is work of a prompt between two words of the conversation: shown folded. */
export function isAside({ role, silent, depth, content, calls }: Message): boolean {
  return silent || role === "tool" || role === "system" || depth > 0 || (content === "" && calls.length > 0);
}

/** What a text is as JSON; undefined for other text. */
export function jsonOf(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? parsed<Json>(text) : undefined;
}

function parsed<T>(text: string | null | undefined): T | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

function attachmentsOf(list: readonly unknown[]): readonly Attachment[] {
  return list.flatMap((one) => {
    const { path, mimeType, mime_type, size } =
      (typeof one === "string" ? { path: one } : one ?? {}) as Record<
        string,
        unknown
      >;
    if (typeof path !== "string") return [];
    const type = mimeType ?? mime_type;
    return [{
      path,
      mimeType: typeof type === "string" ? type : "application/octet-stream",
      size: typeof size === "number" ? size : undefined,
    }];
  });
}

function subagentOf(metadata: { readonly [key: string]: unknown } | undefined): string | null {
  const id = metadata?.subagent_id;
  return typeof id === "string" ? id : null;
}
