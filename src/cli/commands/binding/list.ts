import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler binding list` */
export const bindingList: Command = {
  words: ["binding", "list"],
  summary: "list the connectors that are set up for use",
  description: "Lists the bindings: a connector with its secrets and settings filled, ready to be selected.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler binding list", does: "all bindings" }],
  async run({ daemon, output }) {
    const all = await daemon.bindings();
    output.list("bindings", all, {
      columns: [
        { title: "BINDING" },
        { title: "CONNECTOR" },
        { title: "PROVIDES" },
        { title: "USED BY", cut: true },
        { title: "STATE" },
        { title: "DESCRIPTION", cut: true },
      ],
      cells: all.map((one) => [
        one.name,
        one.connector,
        one.implements.join(", ") || "-",
        one.usedBy.join(", ") || "-",
        one.problems.length === 0 ? "ok" : "problem",
        one.description,
      ]),
      empty: "there are no bindings yet; make one with handler binding add",
    });
    return EXIT.done;
  },
};
