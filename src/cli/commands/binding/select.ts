import { HandlerError } from "../../../base/mod.ts";
import type { BindingView } from "../../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";
import { selectFor } from "../../select.ts";

/** `handler binding select` */
export const bindingSelect: Command = {
  words: ["binding", "select"],
  summary: "let an agent or a project use a binding",
  description:
    `Makes a binding the provider of an interface for an agent, or for all agents of a project that choose none of
their own. Of a binding that provides several interfaces, --interface says which is meant. The agent's next session
uses it; its tools stay the same. handler agent select takes several bindings in order.`,
  args: [{ name: "BINDING", takes: "one", help: "its name", completes: "binding" }],
  options: [
    { name: "agent", value: "NAME", help: "the agent", completes: "agent" },
    { name: "project", value: "NAME", help: "or the project", completes: "project" },
    { name: "interface", value: "NAME", help: "such as ocr", completes: "interface-name" },
    JSON_OPTION,
  ],
  examples: [{
    line: "handler binding select ocr-mistral-perso --agent clerk",
    does: "swap the service of one agent",
  }],
  async run(context) {
    const { daemon, parsed } = context;
    const binding = oneOf(await daemon.bindings(), "binding", parsed.arg("BINDING"), ({ name }) => name);
    const { owner, name } = ownerOf(context);
    await selectFor(context, owner, name, interfaceOf(binding, parsed.value("interface")), [binding.name]);
    return EXIT.done;
  },
};

function ownerOf({ parsed }: Context): { readonly owner: "agent" | "project"; readonly name: string } {
  const [agent, project] = [parsed.value("agent"), parsed.value("project")];
  if (agent !== undefined && project === undefined) return { owner: "agent", name: agent };
  if (project !== undefined && agent === undefined) return { owner: "project", name: project };
  throw new HandlerError("usage", "one of --agent and --project must say for whom");
}

function interfaceOf(binding: BindingView, wanted: string | undefined): string {
  if (wanted !== undefined) return wanted;
  const names = [...new Set(binding.implements.map((id) => id.split("/")[0] ?? id))];
  if (names.length === 1 && names[0] !== undefined) return names[0];
  throw new HandlerError(
    "usage",
    `${binding.name} provides ${names.join(", ") || "nothing"}; --interface must say which`,
  );
}
