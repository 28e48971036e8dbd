import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import { took } from "../session_text.ts";
import { localTime } from "../time.ts";

/** `handler sessions` */
export const sessions: Command = {
  words: ["sessions"],
  summary: "list the sessions of agents",
  description: "Lists the sessions that run, or with --all the ended ones too, the newest first.",
  args: [],
  options: [{ name: "all", short: "a", help: "the ended ones too" }, JSON_OPTION],
  examples: [{ line: "handler sessions --all", does: "every session that is remembered" }],
  async run({ daemon, output, parsed, clock }) {
    const all = await daemon.sessions(parsed.flag("all"));
    output.list("sessions", all, {
      columns: [
        { title: "SESSION" },
        { title: "AGENT" },
        { title: "PROJECT", cut: true },
        { title: "STATE" },
        { title: "STARTED" },
        { title: "TOOK", align: "right" },
        { title: "CALLS", align: "right" },
      ],
      cells: all.map((one) => [
        one.id,
        one.agent,
        one.project,
        one.exitCode === null ? one.state : `${one.state} ${one.exitCode}`,
        localTime(one.startedAt),
        took(one, clock.now()),
        String(one.calls),
      ]),
      empty: parsed.flag("all") ? "there are no sessions" : "no session runs",
    });
    return EXIT.done;
  },
};
