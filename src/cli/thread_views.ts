import type {
  LogRow,
  MessageRow,
  SubagentEntry,
  ThreadRow,
  ThreadView,
  TurnRow,
  WireMessage,
} from "../client/mod.ts";
import { isObject } from "../base/mod.ts";
import type { Column } from "./table.ts";
import { pairs } from "./table.ts";
import { count, oneLine, plain } from "./text.ts";
import { duration, localTime } from "./time.ts";

/** The local time of a row; rows count in microseconds. */
export function rowTime(micros: number): string {
  return localTime(Math.floor(micros / 1000));
}

/** What a thread does, in words. */
export function stateText({ status, statusText, stopped }: ThreadRow): string {
  const words = status === "awaiting_human" ? "awaits a person" : status;
  return [words, ...(stopped ? ["stopped"] : []), ...(statusText === null ? [] : [statusText])].join(", ");
}

export const THREAD_COLUMNS: readonly Column[] = [
  { title: "THREAD" },
  { title: "PROJECT" },
  { title: "AGENT" },
  { title: "STATE", cut: true },
  { title: "PERSON" },
  { title: "MADE" },
  { title: "TITLE", cut: true },
];

/** One row of a list of threads. */
export function threadCells(row: ThreadRow): readonly string[] {
  const { id, project, agent, person, createdAt, title } = row;
  return [id, project, agent, stateText(row), person ?? "-", rowTime(createdAt), title ?? "-"];
}

/** A thread with all it says. */
export function threadText({ thread, children, waiting, messages }: ThreadView): string {
  const { id, project, agent, person, title, link, session, sessionOpen, turnsA, turnsB } = thread;
  return plain(pairs([
    ["thread", id],
    ...(title === null ? [] : [["title", oneLine(title)] as const]),
    ["project", project],
    ["agent", agent],
    ...(person === null ? [] : [["person", person] as const]),
    ["made", rowTime(thread.createdAt)],
    ["state", stateText(thread)],
    ["messages", waiting === 0 ? String(messages) : `${messages}, ${waiting} waiting`],
    ["session", session === 0 ? "none yet" : `${session}, ${sessionOpen ? "open" : "closed"}`],
    ["turns", `${turnsA} of side A, ${turnsB} of side B in this session`],
    ...(link === null ? [] : [["parent", `${link.parent}, as ${link.relationship}`] as const]),
    ...children.map((child) => ["child", childText(child)] as const),
  ]));
}

function childText({ reference, relationship, status, title }: SubagentEntry): string {
  return `${reference}  ${relationship}, ${oneLine(status)}${title ? `: ${oneLine(title)}` : ""}`;
}

/** What is shown of a message. */
export interface ShownMessage {
  readonly id: string;
  readonly role: string;
  readonly content: string | null;
  /** Microseconds. */
  readonly at: number;
  readonly silent: boolean;
  /** What it carries, in words: tool calls, attachments. */
  readonly notes: readonly string[];
}

/** A message as `thread messages` and `thread watch` print it: who and when, then its text. */
export function messageText({ role, content, at, silent, notes }: ShownMessage, heading: Heading): string {
  const head = [role, ...(silent ? ["silent"] : []), ...notes].join(", ");
  const body = content === null || content === "" ? "" : indent(content);
  return `${heading(`${rowTime(at)}  ${oneLine(head)}`)}\n${body}`;
}

type Heading = (text: string) => string;

function indent(text: string): string {
  return plain(text).trimEnd().split("\n").map((line) => `  ${line}`.trimEnd() + "\n").join("");
}

/** A message of the API, to be shown. */
export function ofWire(message: WireMessage): ShownMessage {
  const { id, role, content, created_at, silent = false, attachments = [], tool_calls, metadata, name } =
    message;
  return {
    ...{ id, role, content, at: created_at, silent },
    notes: notesOf(tool_calls ?? null, attachments, metadata, name ?? null),
  };
}

/** A changed row of a watched thread, to be shown. */
export function ofRow(row: MessageRow): ShownMessage {
  const { id, role, content, createdAt, silent, toolCalls, attachments, metadata, name } = row;
  return {
    ...{ id, role, content, at: createdAt, silent },
    notes: notesOf(toolCalls, listOf(attachments), parsed(metadata), name),
  };
}

function notesOf(
  toolCalls: string | null,
  attachments: readonly unknown[],
  metadata: unknown,
  name: string | null,
): readonly string[] {
  const calls = listOf(toolCalls).flatMap((call) => isObject(call) ? [String(call.name)] : []);
  const paths = attachments.flatMap((one) => isObject(one) ? [String(one.path)] : [String(one)]);
  const from = isObject(metadata) && typeof metadata.subagent_id === "string"
    ? metadata.subagent_id
    : undefined;
  return [
    ...(name === null ? [] : [name]),
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(calls.length > 0 ? [`calls ${calls.join(", ")}`] : []),
    ...(paths.length > 0 ? [`with ${paths.join(", ")}`] : []),
  ];
}

function listOf(text: string | null): readonly unknown[] {
  const value = parsed(text);
  return Array.isArray(value) ? value : [];
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const LOG_COLUMNS: readonly Column[] = [
  { title: "AT" },
  { title: "WHAT" },
  { title: "NAME" },
  { title: "STATE" },
  { title: "TOOK", align: "right" },
  { title: "DETAILS", cut: true },
];

/** A turn or a log row, by its place in the thread. */
export type LogLine = { readonly seq: number; readonly turn: TurnRow } | {
  readonly seq: number;
  readonly log: LogRow;
};

/** Turns and log rows of a thread in one order. */
export function logLines(turns: readonly TurnRow[], logs: readonly LogRow[]): readonly LogLine[] {
  const all = [
    ...turns.map((turn) => ({ seq: turn.seq, turn })),
    ...logs.map((log) => ({ seq: log.seq, log })),
  ];
  return all.sort((a, b) => a.seq - b.seq);
}

/** One row of a thread's log. */
export function logCells(line: LogLine): readonly string[] {
  if ("log" in line) return rowCells(line.log);
  const { side, backing, name, state, startedAt, endedAt, stopCode, error } = line.turn;
  const took = endedAt === null ? "-" : duration((endedAt - startedAt) / 1000);
  const details = [...(stopCode === null ? [] : [stopCode]), ...(error === null ? [] : [errorWords(error)])];
  return [
    rowTime(startedAt),
    `turn of ${side.toUpperCase()}`,
    `${backing} ${name}`,
    state,
    took,
    details.join("; "),
  ];
}

function rowCells({ createdAt, kind, name, complete, latencyMs, error, data }: LogRow): readonly string[] {
  const state = error !== null ? "failed" : complete ? "done" : "open";
  const took = latencyMs === null ? "-" : duration(latencyMs);
  return [
    rowTime(createdAt),
    kind,
    name ?? "-",
    state,
    took,
    error === null ? dataWords(data) : errorWords(error),
  ];
}

function errorWords({ message, origin }: { readonly message: string; readonly origin: string }): string {
  return `${message} (${origin})`;
}

/** The plain values of a log row's data: `model small, inputTokens 12`. */
function dataWords(text: string): string {
  const data = parsed(text);
  if (!isObject(data)) return "";
  const shown = Object.entries(data).filter(([, value]) =>
    typeof value === "string" || typeof value === "number"
  );
  return shown.map(([name, value]) => `${name} ${value}`).join(", ");
}

/** `1 message waits`, for a list. */
export function waitingText(waiting: number): string {
  return `${count(waiting, "message")} ${waiting === 1 ? "waits" : "wait"}`;
}
