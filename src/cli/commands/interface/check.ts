import { isAbsolute, join } from "node:path";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { count, plain } from "../../text.ts";

/** `handler interface check` */
export const interfaceCheck: Command = {
  words: ["interface", "check"],
  summary: "check a contract against the rules",
  description:
    `Checks an interface, or a folder that holds one, against the rules of contract S.8: closed schemas, known
formats, patterns in linear time, declared errors told of in the skill, and so on. Every problem is shown with its
file and line. The exit code is 1 where there is one.`,
  args: [{ name: "INTERFACE", takes: "one", help: "such as ocr/v1, or a folder", completes: "interface" }],
  options: [JSON_OPTION],
  examples: [
    { line: "handler interface check ocr/v1", does: "one that is known" },
    { line: "handler interface check ./notes/v1", does: "one that is being written" },
  ],
  async run({ daemon, output, parsed, cwd }) {
    const problems = await daemon.interfaceCheck(target(parsed.arg("INTERFACE"), cwd));
    output.data(
      { problems },
      () =>
        plain(
          problems.map(({ where, message, hint }) => `${where}: ${message}\n${hint ? `    ${hint}\n` : ""}`)
            .join(""),
        ),
    );
    output.note(problems.length === 0 ? "no problems" : count(problems.length, "problem"));
    return problems.length === 0 ? EXIT.done : EXIT.failed;
  },
};

/** A word that looks like a path is a folder, `ocr/v1` an interface. */
function target(word: string, cwd: string): string {
  if (isAbsolute(word)) return word;
  return /^\.{1,2}(\/|$)/.test(word) || !/^[a-z0-9-]+\/v[0-9]+$/.test(word) ? join(cwd, word) : word;
}
