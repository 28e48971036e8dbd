import { PLACES } from "../../platform/mod.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";

/** `handler paths` */
export const paths: Command = {
  words: ["paths"],
  summary: "say where everything lies",
  description: `Shows the four folders that Handler uses, and the variable that moves each. Works without the
daemon.`,
  args: [],
  options: [JSON_OPTION],
  examples: [
    { line: "handler paths", does: "all folders" },
    {
      line: "handler paths --json | jq -r '.paths[] | select(.name==\"config\").path'",
      does: "one, for a script",
    },
  ],
  run({ output, folders }) {
    const rows = PLACES.map(({ name, variable, holds }) => ({ name, path: folders[name], variable, holds }));
    output.data({ paths: rows }, () =>
      output.table(
        [{ title: "NAME" }, { title: "PATH" }, { title: "VARIABLE" }, { title: "HOLDS", cut: true }],
        rows.map(({ name, path, variable, holds }) => [name, path, variable, holds]),
      ));
    return Promise.resolve(EXIT.done);
  },
};
