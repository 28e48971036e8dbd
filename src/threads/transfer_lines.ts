import { HandlerError, isObject } from "../base/mod.ts";
import type {
  EffectRow,
  EnvRow,
  FileRow,
  LogRow,
  MessageRow,
  SessionRow,
  ThreadRow,
  TurnRow,
} from "../store/mod.ts";

/** What a line of an export holds: one row, by the name of its kind. */
export interface TransferRows {
  readonly thread: ThreadRow;
  readonly message: MessageRow;
  readonly turn: TurnRow;
  readonly log: LogRow;
  readonly session: SessionRow;
  readonly value: { readonly thread: string; readonly key: string; readonly value: string };
  /** A secret's value stays behind. */
  readonly env: EnvRow & { readonly thread: string };
  readonly effect: EffectRow;
  /** `bytes` is base64; a folder has none. */
  readonly file: FileRow & { readonly bytes: string | null };
}

/** The kinds of lines. */
export type TransferKind = keyof TransferRows;

/** One line, read. */
export type TransferLine = {
  [K in TransferKind]: { readonly kind: K; readonly row: TransferRows[K] };
}[TransferKind];

/** The first line of an export. */
export const FORMAT = "handler.thread-export/v1";

type Field = "text" | "text?" | "number" | "number?" | "truth" | "truth?" | "object" | "object?";

const SHAPES: { readonly [K in TransferKind]: { readonly [F in keyof TransferRows[K]]-?: Field } } = {
  thread: {
    ...{ id: "text", project: "text", agent: "text", person: "text?", title: "text?", description: "text?" },
    ...{ createdAt: "number", link: "object?", arguments: "text", terminatedAt: "number?", stopped: "truth" },
    ...{
      status: "text",
      statusText: "text?",
      seq: "number",
      seenA: "number",
      seenB: "number",
      turn: "text?",
    },
    ...{ session: "number", sessionOpen: "truth", turnsA: "number", turnsB: "number", hops: "number" },
  },
  message: {
    ...{ thread: "text", seq: "number", rev: "number", id: "text", role: "text", content: "text?" },
    ...{ name: "text?", toolCalls: "text?", toolCallId: "text?", toolStatus: "text?", createdAt: "number" },
    ...{ silent: "truth", metadata: "text?", attachments: "text?", parentId: "text?", depth: "number" },
    ...{ turn: "text?", hops: "number", deleted: "truth" },
  },
  turn: {
    ...{ thread: "text", seq: "number", rev: "number", id: "text", session: "number", side: "text" },
    ...{ backing: "text", name: "text", messageId: "text", state: "text", startedAt: "number" },
    ...{ endedAt: "number?", stopCode: "text?", error: "object?" },
  },
  log: {
    ...{
      thread: "text",
      seq: "number",
      rev: "number",
      id: "text",
      turn: "text?",
      kind: "text",
      name: "text?",
    },
    ...{ messageId: "text?", createdAt: "number", complete: "truth", latencyMs: "number?", error: "object?" },
    ...{ data: "text" },
  },
  session: {
    ...{ thread: "text", number: "number", openedAt: "number", closedAt: "number?", reason: "text?" },
    ...{ success: "truth?", result: "text?" },
  },
  value: { thread: "text", key: "text", value: "text" },
  env: { thread: "text", name: "text", value: "text", type: "text" },
  effect: {
    ...{ id: "text", thread: "text", name: "text", args: "text", scheduledAt: "number", createdAt: "number" },
    ...{ state: "text", error: "object?" },
  },
  file: {
    ...{ thread: "text", path: "text", mimeType: "text", size: "number", isDirectory: "truth" },
    ...{ metadata: "text?", createdAt: "number", updatedAt: "number", bytes: "text?" },
  },
};

/** A row as a line of an export. */
export function writeLine<K extends TransferKind>(kind: K, row: TransferRows[K]): string {
  return JSON.stringify({ [kind]: row });
}

/**
 * A line of an export, held to the shape of its row.
 * @throws {HandlerError} `invalid` with the number of the line
 */
export function readLine(text: string, number: number): TransferLine {
  const value = parsed(text, number);
  const [kind, ...others] = Object.keys(value);
  if (kind === undefined || others.length > 0 || !Object.hasOwn(SHAPES, kind)) {
    throw wrong(number, `is no row of a thread`);
  }
  const row = value[kind];
  if (!isObject(row)) throw wrong(number, `has no ${kind}`);
  const shape: Readonly<Record<string, Field>> = SHAPES[kind as TransferKind];
  const missing = Object.keys(shape).find((name) => !fits(row[name], shape[name] as Field));
  if (missing !== undefined) throw wrong(number, `has a ${kind} whose ${missing} is not right`);
  const unknown = Object.keys(row).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) throw wrong(number, `has a ${kind} with an unknown ${JSON.stringify(unknown)}`);
  return { kind, row } as unknown as TransferLine;
}

/** The JSON object of a line. @throws {HandlerError} `invalid` */
export function parsed(text: string, number: number): { readonly [key: string]: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(number, "is no JSON");
  }
  if (!isObject(value)) throw wrong(number, "is no object");
  return value;
}

/** What is wrong with a line. */
export function wrong(number: number, what: string): HandlerError {
  return new HandlerError("invalid", `line ${number} of the export ${what}`);
}

function fits(value: unknown, field: Field): boolean {
  if (field.endsWith("?")) return value === null || fits(value, field.slice(0, -1) as Field);
  if (field === "text") return typeof value === "string";
  if (field === "number") return typeof value === "number" && Number.isFinite(value) && value >= 0;
  return field === "truth" ? typeof value === "boolean" : isObject(value);
}
