import type { DefinitionKind } from "../../spec/brand.ts";
import { joined } from "../../spec/shape.ts";
import { type Found, type Written, written, writtenList, writtenText } from "./found.ts";

/** What a place of a definition wants a name of; `callable` is a prompt, an agent or a tool. */
export type Wanted = "agent" | "prompt" | "model" | "hook" | "handler" | "callable";

/** A name that stands somewhere in a definition. */
export interface Reference {
  readonly from: Found;
  readonly path: string;
  readonly name: string;
  readonly wants: Wanted;
}

type Places = readonly (readonly [path: string, value: unknown, wants: Wanted])[];

/** Every name of another definition that a definition has. */
export function referencesOf(from: Found): readonly Reference[] {
  return placesOf(from.kind, from.value).flatMap(([path, value, wants]) => {
    const name = writtenText(value);
    return name === undefined ? [] : [{ from, path, name, wants }];
  });
}

function placesOf(kind: DefinitionKind, value: Written): Places {
  if (kind === "agent") return agentPlaces(value);
  if (kind === "prompt") return promptPlaces(value);
  if (kind === "tool") return each(value["uses"], "uses", "callable");
  return [];
}

function agentPlaces(agent: Written): Places {
  return [
    ...sidePlaces(agent["sideA"], "sideA"),
    ...sidePlaces(agent["sideB"], "sideB"),
    ...each(agent["parentHooks"], "parentHooks", "hook", "hook"),
    ...each(agent["hooks"], "hooks", "hook"),
  ];
}

function sidePlaces(value: unknown, path: string): Places {
  const side = written(value);
  return [
    [`${path}.handler`, side["handler"], "handler"],
    [`${path}.prompt`, side["prompt"], "prompt"],
    [`${path}.stopTool`, side["stopTool"], "callable"],
    ...BINDINGS.map((key) => [`${path}.${key}.name`, written(side[key])["name"], "callable"] as const),
    ...each(side["subagents"], `${path}.subagents`, "agent", "agent"),
  ];
}

/** The fields of a side that bind a tool to the session. */
export const BINDINGS: readonly string[] = ["sessionStop", "sessionFail", "sessionStatus"];

function promptPlaces(prompt: Written): Places {
  return [
    ["model", prompt["model"], "model"],
    ...each(prompt["prompt"], "prompt", "prompt", "prompt"),
    ...writtenList(prompt["tools"]).map((entry, index) =>
      typeof entry === "string"
        ? [`tools[${index}]`, entry, "callable"] as const
        : [`tools[${index}].name`, written(entry)["name"], "callable"] as const
    ),
    ...each(prompt["hooks"], "hooks", "hook"),
  ];
}

/** The entries of a list, or a field of each. */
function each(value: unknown, path: string, wants: Wanted, field?: string): Places {
  return writtenList(value).map((entry, index) =>
    field === undefined
      ? [`${path}[${index}]`, entry, wants] as const
      : [joined(`${path}[${index}]`, field), written(entry)[field], wants] as const
  );
}
