import { type Command, JSON_OPTION } from "../command.ts";
import { YES_OPTION } from "../confirm.ts";

/** `handler uninstall` */
export const uninstall: Command = {
  words: ["uninstall"],
  summary: "take the service away again, and leave your data",
  description:
    `Ends handlerd, takes it off the service manager's list and removes exactly the files that \`handler install\` made;
one that was changed since stays and is told of. Configuration, data and logs stay where they are, and it says where.
Sessions of agents go on until they end: stop them before with \`handler stop\`.`,
  args: [],
  options: [YES_OPTION, JSON_OPTION],
  examples: [{ line: "handler uninstall", does: "look at what goes, then remove it" }],
  run: async (context) => (await import("../upkeep/uninstall.ts")).uninstall(context),
};
