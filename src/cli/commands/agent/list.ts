import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { servicesText } from "../../views.ts";

/** `handler agent list` */
export const agentList: Command = {
  words: ["agent", "list"],
  summary: "list the agents",
  description:
    "Lists the agents, their projects and harnesses, the bindings they selected, and whether each can start.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler agent list", does: "all agents" }],
  async run({ daemon, output }) {
    const all = await daemon.agents();
    output.list("agents", all, {
      columns: [
        { title: "AGENT" },
        { title: "PROJECT" },
        { title: "HARNESS" },
        { title: "STATE" },
        { title: "SERVICES", cut: true },
      ],
      cells: all.map((one) => [
        one.name,
        one.project,
        one.harness,
        one.problems.length === 0 ? "ok" : "problem",
        servicesText(one.services) || "-",
      ]),
      empty: "there are no agents yet; make one with handler agent add",
    });
    return EXIT.done;
  },
};
