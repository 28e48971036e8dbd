import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler interface publish` */
export const interfacePublish: Command = {
  words: ["interface", "publish"],
  summary: "freeze a contract for good",
  description:
    `Writes the hash of an interface's version into published.json beside it. From then on any change to its
files is refused: what changes is a new version. Check it before.`,
  args: [{ name: "INTERFACE", takes: "one", help: "such as notes/v1", completes: "interface" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler interface publish notes/v1", does: "freeze notes/v1" }],
  async run({ daemon, output, parsed }) {
    const one = await daemon.interfacePublish(parsed.arg("INTERFACE"));
    output.data({ interface: one }, () => `${one.id} ${one.state} ${one.hash}\n`);
    output.note("a change of it is a new version from now on");
    return EXIT.done;
  },
};
