import type { InterfaceView } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";
import { pairs } from "../../table.ts";
import { oneLine, plain } from "../../text.ts";

/** `handler interface show` */
export const interfaceShow: Command = {
  words: ["interface", "show"],
  summary: "show one contract: tools, errors, limits",
  description:
    `Shows what an agent can call, the errors it can get, the limits, and the hash that the version is known
by. With --skill, the text that tells a model when and how to use it.`,
  args: [{ name: "INTERFACE", takes: "one", help: "such as ocr/v1", completes: "interface" }],
  options: [{ name: "skill", help: "show the skill in place of the rest" }, JSON_OPTION],
  examples: [
    { line: "handler interface show ocr/v1", does: "the contract" },
    { line: "handler interface show ocr/v1 --skill", does: "what the model reads" },
  ],
  async run({ daemon, output, parsed }) {
    const one = oneOf(await daemon.interfaces(), "interface", parsed.arg("INTERFACE"), ({ id }) => id);
    output.data({ interface: one }, () => parsed.flag("skill") ? plain(one.skill) : text(one));
    return EXIT.done;
  },
};

function text(one: InterfaceView): string {
  return plain(pairs([
    ["interface", one.id],
    ["state", `${one.state} (${one.origin})`],
    ["description", oneLine(one.description)],
    ...one.tools.map((tool) => ["tool", `${tool.name}: ${oneLine(tool.description)}`] as const),
    ...Object.entries(one.errors).map(([code, meaning]) =>
      ["error", `${code}: ${oneLine(meaning)}`] as const
    ),
    ...Object.entries(one.limits).map(([name, limit]) => ["limit", `${name} ${limit}`] as const),
    ["connectors", one.connectors.join(", ") || "none"],
    ["bindings", one.bindings.join(", ") || "none"],
    ["hash", one.hash],
    ["folder", one.folder],
  ]));
}
