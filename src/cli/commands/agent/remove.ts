import type { Command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler agent remove` */
export const agentRemove: Command = {
  words: ["agent", "remove"],
  summary: "remove an agent",
  description: "Removes an agent's file. Its work folder, its sessions' logs and its call records stay.",
  args: [{ name: "AGENT", takes: "one", help: "its name", completes: "agent" }],
  options: [],
  examples: [{ line: "handler agent remove clerk", does: "remove it" }],
  async run({ daemon, output, parsed }) {
    const name = parsed.arg("AGENT");
    await daemon.agentRemove(name);
    output.note(`the agent ${name} is removed`);
    output.next("handler agent list");
    return EXIT.done;
  },
};
