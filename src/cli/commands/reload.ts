import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import { count } from "../text.ts";

/** `handler reload` */
export const reload: Command = {
  words: ["reload"],
  summary: "read the configuration again",
  description:
    `Reads and checks all files of the configuration and puts the new set in force as a whole. Where one has
a problem, all problems are shown and the old set stays in force. Running calls finish with the connector that
they began with.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler reload", does: "after editing files by hand" }],
  async run({ daemon, output }) {
    const { changed } = await daemon.reload();
    output.data({ changed }, () => changed.map((one) => one + "\n").join(""));
    output.note(changed.length === 0 ? "nothing has changed" : `${count(changed.length, "change")} in force`);
    return EXIT.done;
  },
};
