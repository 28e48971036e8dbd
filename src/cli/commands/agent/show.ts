import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";
import { agentText } from "../../views.ts";

/** `handler agent show` */
export const agentShow: Command = {
  words: ["agent", "show"],
  summary: "show one agent",
  description: "Shows an agent's project, harness, selected bindings, and what keeps it from starting.",
  args: [{ name: "AGENT", takes: "one", help: "its name", completes: "agent" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler agent show clerk", does: "that agent" }],
  async run({ daemon, output, parsed }) {
    const one = oneOf(await daemon.agents(), "agent", parsed.arg("AGENT"), ({ name }) => name);
    output.data({ agent: one }, () => agentText(one));
    return EXIT.done;
  },
};
