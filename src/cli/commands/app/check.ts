import { resolve } from "node:path";
import { problemsText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { count, plain } from "../../text.ts";

/** `handler app check` */
export const appCheck: Command = {
  words: ["app", "check"],
  summary: "tell everything that a deploy would refuse",
  description:
    `Looks at an app's source folder, registered or not, and tells all that is wrong with it, with file, line and key. The
exit code is 1 where something is.`,
  args: [{
    name: "FOLDER",
    takes: "optional",
    help: "the folder with app.toml; this one by default",
    completes: "folder",
  }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app check ./notes", does: "before it is deployed" }],
  async run({ daemon, output, parsed, cwd }) {
    const folder = resolve(cwd, parsed.optionalArg("FOLDER") ?? ".");
    const problems = await daemon.appCheck(folder, (line) => output.note(plain(line)));
    output.data({ folder, passed: problems.length === 0, problems }, () => problemsText(problems));
    const sound = problems.length === 0;
    output.note(sound ? `a deploy of ${folder} would refuse nothing` : count(problems.length, "problem"));
    return sound ? EXIT.done : EXIT.failed;
  },
};
