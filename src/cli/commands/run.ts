import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import { followSession } from "../session_log.ts";
import { sessionText } from "../session_text.ts";

/** `handler run` */
export const run: Command = {
  words: ["run"],
  summary: "start an agent in its sandbox",
  description:
    `Starts a session of an agent and shows what it writes, until it ends. Ctrl-C leaves it running; handler stop
ends it. The exit code is 0 where the agent ended well, else 1. With --detach it returns at once and prints the
session, whose first line holds its id.`,
  args: [
    { name: "AGENT", takes: "one", help: "the agent", completes: "agent" },
    { name: "PROMPT", takes: "optional", mayBeEmpty: true, help: "what it is asked to do" },
  ],
  options: [
    { name: "detach", short: "d", help: "do not wait for it" },
    { name: "stdin", help: "send on what comes in on stdin" },
    { ...JSON_OPTION, help: `${JSON_OPTION.help}; it does not wait then` },
  ],
  examples: [
    { line: "handler run clerk", does: "run it and see what it does" },
    { line: 'handler run clerk "sort the invoices" --detach', does: "let it work" },
  ],
  async run(context) {
    const { daemon, output, parsed, terminal } = context;
    const detach = parsed.flag("detach") || output.json;
    const session = await daemon.run(parsed.arg("AGENT"), parsed.optionalArg("PROMPT") ?? null);
    if (!detach) {
      output.note(`session ${session.id} of ${session.agent}, in ${session.driver}`);
      return await followSession(context, session.id, parsed.flag("stdin") || terminal.interactive);
    }
    output.data({ session }, () => sessionText(session));
    output.next(`handler attach ${session.id}`);
    return EXIT.done;
  },
};
