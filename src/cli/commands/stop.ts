import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import { sessionText } from "../session_text.ts";

/** `handler stop` */
export const stop: Command = {
  words: ["stop"],
  summary: "end a session",
  description: "Ends a session: its processes are asked to end, then killed. Its log and its calls stay.",
  args: [{ name: "SESSION", takes: "one", help: "its id", completes: "session" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler stop 01jdz…", does: "end it" }],
  async run({ daemon, output, parsed }) {
    const session = await daemon.sessionStop(parsed.arg("SESSION"));
    output.data({ session }, () => sessionText(session));
    output.next(`handler log ${session.id}`);
    return EXIT.done;
  },
};
