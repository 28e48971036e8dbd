import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler interface list` */
export const interfaceList: Command = {
  words: ["interface", "list"],
  summary: "list the contracts that services are called through",
  description:
    "Lists every version of every interface, its state, and which connectors and bindings provide it.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler interface list", does: "all interfaces" }],
  async run({ daemon, output }) {
    const all = await daemon.interfaces();
    output.list("interfaces", all, {
      columns: [
        { title: "INTERFACE" },
        { title: "STATE" },
        { title: "CONNECTORS", cut: true },
        { title: "BINDINGS", cut: true },
        { title: "DESCRIPTION", cut: true },
      ],
      cells: all.map((one) => [
        one.id,
        one.state,
        one.connectors.join(", ") || "-",
        one.bindings.join(", ") || "-",
        one.description,
      ]),
      empty: "there are no interfaces",
    });
    return EXIT.done;
  },
};
