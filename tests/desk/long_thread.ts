/**
 * A thread with very many messages, as an export that a daemon takes in.
 * @module
 */
const AT = 1_790_000_000_000_000;
const WORDS = "the shelf holds flour and eggs for those who bake at night and sell in the morning".split(" ");

/** The lines of a thread of `count` messages, every second one of a function on side A. The texts differ in length. */
export function* longThread(id: string, agent: string, handler: string, count: number): Generator<string> {
  const turns = Math.floor(count / 2), last = count + turns;
  yield line({ format: "handler.thread-export/v1", thread: id });
  yield line({
    thread: {
      ...{ id, project: "desk", agent, person: null, title: "A long one", description: null, createdAt: AT },
      ...{ link: null, arguments: "{}", terminatedAt: null, stopped: false, status: "awaiting_human" },
      ...{ statusText: null, seq: last, seenA: last, seenB: last, turn: null, session: 1, sessionOpen: true },
      ...{ turnsA: turns, turnsB: turns, hops: 0 },
    },
  });
  const open = { closedAt: null, reason: null, success: null, result: null };
  yield line({ session: { thread: id, number: 1, openedAt: AT, ...open } });
  let lines = 2;
  for (let n = 0, seq = 0; n < count; n++) {
    const mine = n % 2 === 0, createdAt = AT + n * 60_000_000;
    if (!mine) {
      const turn = {
        ...{ thread: id, seq: ++seq, rev: seq, id: turnId(n), session: 1, side: "a", backing: "handler" },
        ...{ name: handler, messageId: messageId(n - 1), state: "done", startedAt: createdAt },
        ...{ endedAt: createdAt + 5000, stopCode: null, error: null },
      };
      yield line({ turn });
      lines++;
    }
    const message = {
      ...{
        thread: id,
        seq: ++seq,
        rev: seq,
        id: messageId(n),
        role: mine ? "user" : "assistant",
        content: textOf(n),
      },
      ...{ name: null, toolCalls: null, toolCallId: null, toolStatus: null, createdAt, silent: false },
      ...{ metadata: null, attachments: null, parentId: null, depth: 0, turn: mine ? null : turnId(n) },
      ...{ hops: mine ? 0 : 1, deleted: false },
    };
    yield line({ message });
    lines++;
  }
  yield line({ end: true, lines });
}

/** The id of a message of it, by its number. */
export function messageId(n: number): string {
  return `long-message-${String(n).padStart(7, "0")}`;
}

function turnId(n: number): string {
  return `long-turn-${String(n).padStart(7, "0")}`;
}

/** What a message of it says: `Number 12:` and a few words more. */
export function textOf(n: number): string {
  const words = Array.from({ length: (n * 31) % 90 }, (_, at) => WORDS[(n + at) % WORDS.length]);
  return `Number ${n}: ${words.join(" ")}`;
}

function line(value: unknown): string {
  return JSON.stringify(value);
}
