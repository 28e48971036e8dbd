import { HANDLER_VERSION } from "../../base/mod.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";

/** `handler version` */
export const version: Command = {
  words: ["version"],
  summary: "say which Handler this is",
  description: "Shows the version of this program. `handler status` shows that of the daemon that runs.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler version", does: "the version" }],
  run({ output }) {
    output.data({ version: HANDLER_VERSION }, () => `handler ${HANDLER_VERSION}\n`);
    return Promise.resolve(EXIT.done);
  },
};
