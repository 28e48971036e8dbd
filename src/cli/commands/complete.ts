import type { Command } from "../command.ts";
import { COMMANDS } from "../commands.ts";
import { candidates } from "../completion/candidates.ts";
import { daemonNames } from "../completion/names.ts";
import { EXIT } from "../exit.ts";
import { oneLine } from "../text.ts";

/** `handler __complete`, which the completion scripts call. */
export const complete: Command = {
  words: ["__complete"],
  summary: "say what may stand at the cursor",
  description: "For the completion scripts: the words so far, the last of which is being typed.",
  args: [{ name: "WORD", takes: "many", mayBeEmpty: true, help: "the words" }],
  options: [],
  examples: [],
  hidden: true,
  async run({ parsed, terminal, daemon }) {
    const found = await candidates(COMMANDS, parsed.rest("WORD"), daemonNames(daemon));
    terminal.out(
      found.map(({ word, means }) => (means === "" ? word : `${word}\t${oneLine(means)}`) + "\n").join(""),
    );
    return EXIT.done;
  },
};
