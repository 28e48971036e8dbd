import type { Context } from "./command.ts";
import { oneOf } from "./find.ts";
import { usage } from "./parsed.ts";
import { agentText, projectText } from "./views.ts";

/** Selects bindings, then shows the owner as it is now and what may come next. */
export async function selectFor(
  { daemon, output }: Context,
  owner: "agent" | "project",
  name: string,
  interfaceName: string,
  bindings: readonly string[],
): Promise<void> {
  await daemon.select(owner, name, interfaceName, bindings);
  if (owner === "agent") {
    const agent = oneOf(await daemon.agents(), "agent", name, (one) => one.name);
    output.data({ agent }, () => agentText(agent));
    output.next(agent.harness === "external" ? `handler connect ${name}` : `handler run ${name}`);
  } else {
    const project = oneOf(await daemon.projects(), "project", name, (one) => one.name);
    output.data({ project }, () => projectText(project));
  }
}

/** The bindings that `select` was given: some words, or none with `--clear`. */
export function wantedBindings({ parsed }: Context): readonly string[] {
  const bindings = parsed.rest("BINDING");
  if (parsed.flag("clear") === (bindings.length > 0)) {
    throw usage(parsed.command, "either a BINDING or --clear must be given");
  }
  return bindings;
}
