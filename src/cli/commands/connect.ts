import { type Command, JSON_OPTION } from "../command.ts";
import { CLIENTS } from "../connect/clients.ts";

/** `handler connect` */
export const connect: Command = {
  words: ["connect"],
  summary: "give an MCP client on this machine an agent's services",
  description:
    `For an agent with the harness external: shows what to put into the settings of each MCP client that is found on
this machine, so that it can use the agent's services. With --write the settings are changed: every other entry,
comment and the order of things stay, a copy is put beside the file, and a file that cannot be read is left alone.
Doing it again changes nothing. --remove takes the agent's entries out again.`,
  args: [{
    name: "AGENT",
    takes: "one",
    help: "an agent with the harness external",
    completes: "external-agent",
  }],
  options: [
    {
      name: "client",
      value: "NAME",
      many: true,
      help: `only this client, found or not: ${CLIENTS.map(({ name }) => name).join(", ")}`,
      completes: "client",
    },
    { name: "write", help: "change the clients' settings" },
    { name: "remove", help: "take the agent's entries out of them" },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler connect desk", does: "what each client needs" },
    { line: "handler connect desk --write --client vscode", does: "set up VS Code" },
    { line: "handler connect desk --remove", does: "take everything out again" },
  ],
  // loaded late: it brings the readers of other programs' settings
  run: async (context) => (await import("../connect/run.ts")).runConnect(context),
};
