import type { AgentView, BindingView, ConnectorView, ProjectView } from "../client/mod.ts";
import { pairs } from "./table.ts";
import { oneLine, plain } from "./text.ts";

/** A selection in words: `ocr: ocr-local, then ocr-mistral`. */
export function servicesText(services: Readonly<Record<string, readonly string[]>>): string {
  const parts = Object.entries(services).map(([name, bindings]) => `${name}: ${bindings.join(", then ")}`);
  return parts.join("; ");
}

/** A binding with all it says; secrets are references. */
export function bindingText(one: BindingView): string {
  return plain(pairs([
    ["binding", one.name],
    ...(one.description ? [["description", oneLine(one.description)] as const] : []),
    ["connector", one.connector],
    ["provides", one.implements.join(", ") || "nothing"],
    ...Object.entries(one.settings).map(([name, value]) => ["setting", `${name} = ${value}`] as const),
    ...Object.entries(one.secrets).map(([slot, reference]) =>
      ["secret", `${slot} from ${reference}`] as const
    ),
    ...Object.entries(one.prices).map(([unit, price]) => ["price", `${price} for one of ${unit}`] as const),
    ["used by", one.usedBy.join(", ") || "nobody"],
    ["file", one.file],
    ...problemRows(one.problems),
  ]));
}

/** Where a connector may connect to, the addresses that its bindings set among them. */
export function reachesText({ egress, settings }: Pick<ConnectorView, "egress" | "settings">): string {
  const addresses = settings.filter(({ type }) => type === "url").map(({ name }) => `its ${name}`);
  return [...egress, ...addresses].join(", ") || "nothing";
}

/** An agent with all it says. */
export function agentText(one: AgentView): string {
  return plain(pairs([
    ["agent", one.name],
    ["project", one.project],
    ["harness", one.harness],
    ...(one.command.length > 0 ? [["command", one.command.join(" ")] as const] : []),
    ...Object.entries(one.services).map(([name, use]) =>
      ["service", `${name}: ${use.join(", then ")}`] as const
    ),
    ["reaches", one.egress.join(", ") || "nothing but its services"],
    ["file", one.file],
    ...problemRows(one.problems),
  ]));
}

/** A project with all it says. */
export function projectText(one: ProjectView): string {
  return plain(pairs([
    ["project", one.name],
    ["folder", one.path],
    ["requires", one.requires.join(", ") || "nothing"],
    ...Object.entries(one.services).map(([name, use]) =>
      ["service", `${name}: ${use.join(", then ")}`] as const
    ),
    ["privacy", one.privacy === "local" ? "local: no service that has a network" : "any"],
    ["agents", one.agents.join(", ") || "none"],
    ["file", one.file],
  ]));
}

function problemRows(problems: BindingView["problems"]): readonly (readonly [string, string])[] {
  return problems.map(({ where, message, hint }) =>
    ["problem", `${where ? `${where}: ` : ""}${message}${hint ? `\nhint: ${hint}` : ""}`] as const
  );
}
