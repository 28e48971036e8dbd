import { type Command, JSON_OPTION, REPLACE_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { agentText } from "../../views.ts";
import { type Parsed, usage } from "../../parsed.ts";
import { serviceWords } from "../../service_words.ts";

/** `handler agent add` */
export const agentAdd: Command = {
  words: ["agent", "add"],
  summary: "make an agent",
  description:
    `Writes a new file in the folder agents of the configuration. The harness is what drives the model: command runs
the words behind -- in the agent's sandbox; external is an MCP client outside any sandbox, which handler connect sets
up. Services that are not chosen here are taken from the project. A name that is taken is refused, but with --replace:
then the agent is what you say here, and keeps its model, egress, env and image.`,
  args: [
    { name: "NAME", takes: "one", help: "the new agent's name" },
    { name: "WORD", takes: "many", mayBeEmpty: true, help: "the command of the harness command, behind --" },
  ],
  options: [
    { name: "project", value: "NAME", needed: true, help: "its project", completes: "project" },
    {
      name: "harness",
      value: "NAME",
      help: "command by default",
      completes: ["command", "external"],
    },
    {
      name: "service",
      value: "INTERFACE=BINDING",
      many: true,
      help: "who provides an interface; BINDING,BINDING in order of preference",
    },
    REPLACE_OPTION,
    JSON_OPTION,
  ],
  examples: [
    {
      line: "handler agent add clerk --project books -- sh -c 'handler-call ocr_extract --path invoice.pdf'",
      does: "a script",
    },
    {
      line: "handler agent add desk --project books --harness external",
      does: "for a client on this machine",
    },
  ],
  async run({ daemon, output, parsed }) {
    const project = parsed.needed("project");
    refuseWords(parsed);
    const agent = await daemon.agentAdd({
      name: parsed.arg("NAME"),
      project,
      harness: parsed.value("harness") ?? "command",
      command: parsed.rest("WORD"),
      services: serviceWords(parsed.values("service")),
      replace: parsed.flag("replace"),
    });
    output.data({ agent }, () => agentText(agent));
    if (agent.problems.length > 0) {
      output.note("it cannot start as it is");
      return EXIT.done;
    }
    output.next(agent.harness === "external" ? `handler connect ${agent.name}` : `handler run ${agent.name}`);
    return EXIT.done;
  },
};

/** The command of one harness is the only one that has words, and it cannot do without. */
function refuseWords(parsed: Parsed): void {
  const harness = parsed.value("harness") ?? "command";
  const words = parsed.rest("WORD").length;
  if (harness === "command" && words === 0) {
    throw usage(
      parsed.command,
      "the harness command needs a command",
      "write it behind --, as in: -- sh -c 'ls'",
    );
  }
  if (harness === "external" && words > 0) {
    throw usage(parsed.command, "the harness external takes no command: its client runs it");
  }
}
