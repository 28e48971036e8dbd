import type { ConnectorView } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { reachesText } from "../../views.ts";

/** `handler connector list` */
export const connectorList: Command = {
  words: ["connector", "list"],
  summary: "list what implements the interfaces",
  description:
    `Lists the connectors, what they implement, where they may connect to, and whether each is proven: whether
its conformance cases passed with the very files and binding of now.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler connector list", does: "all connectors" }],
  async run({ daemon, output }) {
    const all = await daemon.connectors();
    output.list("connectors", all, {
      columns: [
        { title: "CONNECTOR" },
        { title: "IMPLEMENTS" },
        { title: "PROVEN" },
        { title: "REACHES", cut: true },
        { title: "DESCRIPTION", cut: true },
      ],
      cells: all.map((one) => [
        one.name,
        one.implements.join(", "),
        one.trusted ? proof(one) : "not trusted",
        reachesText(one),
        one.description,
      ]),
      empty: "there are no connectors",
    });
    return EXIT.done;
  },
};

/** One word for all that is proven of a connector. */
function proof({ proven }: ConnectorView): string {
  const states = new Set(proven.map(({ state }) => state));
  if (states.has("failed")) return "failed";
  if (states.has("changed")) return "changed";
  return states.has("proven") ? "proven" : "unproven";
}
