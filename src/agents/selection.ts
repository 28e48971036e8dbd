import { HandlerError } from "../base/mod.ts";
import type { AgentConfig, ProjectConfig, Selection } from "../config/mod.ts";

/** What an agent uses: the project's choice for each interface, the agent's own in its place where it has one. */
export function selectionOf(project: ProjectConfig, agent: AgentConfig): Selection {
  return { ...project.services, ...agent.services };
}

/** One problem for each interface that the project requires and nobody chose a binding for (contract B.4). */
export function missingRequirements(project: ProjectConfig, agent: AgentConfig): readonly HandlerError[] {
  const selection = selectionOf(project, agent);
  return project.requires.filter((id) => !selection[nameOf(id)]?.length).map((id) =>
    missing(project, agent, id)
  );
}

/** `ocr` of `ocr/v1`. */
export function nameOf(interfaceId: string): string {
  return interfaceId.split("/")[0] ?? interfaceId;
}

function missing(project: ProjectConfig, agent: AgentConfig, id: string): HandlerError {
  const name = nameOf(id);
  return new HandlerError(
    "invalid",
    `the project ${project.name} requires ${id}, and neither it nor the agent ${agent.name} has a binding for ${name}`,
    {
      where: { file: agent.file, key: `services.${name}` },
      hint: `write services = { ${name} = "BINDING" } into the file, with one of: handler binding list`,
    },
  );
}
