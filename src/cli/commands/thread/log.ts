import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { LIMIT_OPTION, limitOption, THREAD_ARGUMENT } from "../../thread_words.ts";
import { LOG_COLUMNS, logCells, logLines } from "../../thread_views.ts";

/** `handler thread log` */
export const threadLog: Command = {
  words: ["thread", "log"],
  summary: "show a thread's turns and what they did",
  description:
    `Shows the newest turns of a thread, the model requests, tools, effects and hooks that are logged, and what
went wrong: who it was, how long it took, why it failed. A deadlock, and a conversation that goes on without anybody from
outside, are told of here too.`,
  args: [THREAD_ARGUMENT],
  options: [LIMIT_OPTION, JSON_OPTION],
  examples: [{ line: "handler thread log 01jdz…", does: "the last 50 rows" }],
  async run(context) {
    const { daemon, output, parsed } = context;
    const [id, limit] = [parsed.arg("THREAD"), limitOption(context, 50)];
    const page = { limit, offset: 0, order: "desc" } as const;
    const [turns, logs] = [await daemon.threadTurns(id, page), await daemon.threadLogs(id, page)];
    const lines = logLines(turns, logs).slice(-limit);
    output.list("log", lines.map((line) => ("turn" in line ? { turn: line.turn } : { log: line.log })), {
      columns: LOG_COLUMNS,
      cells: lines.map(logCells),
      empty: "nothing happened in it yet",
    });
    return EXIT.done;
  },
};
