import { HandlerError } from "../../../base/mod.ts";
import type { ThreadRow } from "../../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { LIMIT_OPTION, limitOption } from "../../thread_words.ts";
import { messageText, ofWire, rowTime } from "../../thread_views.ts";
import { say, SEND_OPTIONS } from "./send.ts";

/** `handler thread answer` */
export const threadAnswer: Command = {
  words: ["thread", "answer"],
  summary: "see which threads wait for a person, and answer",
  description:
    `Without arguments it lists the threads that wait for a person, with what was said last; children, whom their parents
answer, only with --all, unless the parent waits for them. With THREAD and TEXT it answers as the human side; without TEXT, on a terminal, it shows what was
said and asks for the answer.`,
  args: [
    { name: "THREAD", takes: "optional", help: "its id", completes: "thread" },
    { name: "TEXT", takes: "optional", mayBeEmpty: true, help: "the answer, or - for stdin" },
  ],
  options: [
    { name: "person", value: "NAME", help: "only what waits for this person", completes: "person" },
    { name: "all", help: "children too" },
    LIMIT_OPTION,
    ...SEND_OPTIONS,
    JSON_OPTION,
  ],
  examples: [
    { line: "handler thread answer", does: "what waits for somebody" },
    { line: 'handler thread answer 01jdz… "yes, do it"', does: "says it for the human side" },
  ],
  async run(context) {
    const { parsed } = context;
    const id = parsed.optionalArg("THREAD");
    if (id === undefined) return await waiting(context);
    return await say(context, id, parsed.optionalArg("TEXT") ?? await asked(context, id), undefined);
  },
};

async function waiting(context: Context): Promise<number> {
  const { daemon, output, parsed } = context;
  const person = parsed.value("person");
  const limit = limitOption(context, 50);
  const asked = { status: "awaiting_human", ...(person !== undefined && { person }), offset: 0 } as const;
  const all = await daemon.threads({ ...asked, limit: parsed.flag("all") ? limit : MOST_CHILDREN });
  const roots = parsed.flag("all") ? [] : await daemon.threads({ ...asked, parent: null, limit });
  const threads = parsed.flag("all") ? all : newest([...roots, ...all.filter(isAwaited)]).slice(0, limit);
  const rows = await Promise.all(
    threads.map(async (thread) => ({ thread, last: await lastMessage(context, thread) })),
  );
  output.list("threads", rows, {
    columns: [
      { title: "THREAD" },
      { title: "AGENT" },
      { title: "PERSON" },
      { title: "SINCE" },
      { title: "LAST SAID", cut: true },
    ],
    cells: rows.map(({ thread: { id, agent, person, createdAt }, last }) => [
      id,
      agent,
      person ?? "-",
      rowTime(last?.created_at ?? createdAt),
      last?.content ?? "-",
    ]),
    empty: "no thread waits for a person",
  });
  if (rows[0]) output.next(`handler thread answer ${rows[0].thread.id}`);
  return EXIT.done;
}

/** So many children are looked through for those that keep their parents waiting. */
const MOST_CHILDREN = 1000;

/** A child whose parent's turn may wait for it, and so cannot answer it. */
function isAwaited({ link }: ThreadRow): boolean {
  return link !== null && link.blocking;
}

function newest(threads: readonly ThreadRow[]): readonly ThreadRow[] {
  return threads.toSorted((a, b) => b.createdAt - a.createdAt);
}

async function lastMessage({ daemon }: Context, { id }: ThreadRow) {
  const newest = { limit: 1, offset: 0, order: "desc", includeSilent: false } as const;
  const [last] = await daemon.threadMessages(id, newest);
  return last;
}

/** Shows what was said last and asks a person for the answer. */
async function asked(context: Context, id: string): Promise<string> {
  const { daemon, terminal, output } = context;
  const { thread } = await daemon.thread(id);
  if (!terminal.interactive) {
    throw new HandlerError("usage", "nobody can be asked for the answer", {
      hint: "give it as TEXT, or - for stdin",
    });
  }
  const last = await lastMessage(context, thread);
  if (last) output.note(messageText(ofWire(last), (text) => text).trimEnd());
  const answer = terminal.ask("answer:")?.trim();
  if (!answer) throw new HandlerError("denied", "nothing was said");
  return answer;
}
