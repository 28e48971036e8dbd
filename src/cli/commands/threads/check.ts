import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { count, plain } from "../../text.ts";

/** `handler threads check` */
export const threadsCheck: Command = {
  words: ["threads", "check"],
  summary: "check a project's definitions",
  description:
    `Loads everything below a project's folder \`agents/\` in a sandbox of its own and tells all that is wrong with it at
once, each with its file and its place in the definition. Warnings alone are no failure. Threads that run go on with what they
have; the next turn takes the new definitions where they are right.`,
  args: [{ name: "PROJECT", takes: "one", help: "its name", completes: "project" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler threads check desk", does: "what a new thread would refuse" }],
  async run({ daemon, output, parsed }) {
    const { definitions, problems } = await daemon.threadsCheck(parsed.arg("PROJECT"));
    const errors = problems.filter(({ severity }) => severity === "error");
    output.data(
      { passed: errors.length === 0, definitions, problems },
      () =>
        plain(
          problems.map(({ where, message, severity, hint }) =>
            `${where}: ${severity === "warning" ? "warning: " : ""}${message}\n${
              hint ? `  hint: ${hint}\n` : ""
            }`
          ).join(""),
        ),
    );
    const found = `${count(definitions.length, "definition")}, ${count(errors.length, "error")}, ${
      count(problems.length - errors.length, "warning")
    }`;
    output.note(found);
    return errors.length === 0 ? EXIT.done : EXIT.failed;
  },
};
