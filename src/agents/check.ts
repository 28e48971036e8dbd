import { asHandlerError, HandlerError } from "../base/mod.ts";
import type { AgentConfig, Configuration, ProjectConfig } from "../config/mod.ts";
import type { Folders } from "../platform/mod.ts";
import { parseEgress } from "../sandbox/mod.ts";
import { harnessOf } from "./harness.ts";
import type { ServicesPort } from "./ports.ts";
import { missingRequirements, selectionOf } from "./selection.ts";
import { workFolder } from "./work_folder.ts";

/** An agent and its project, as configured. @throws {HandlerError} `not_found`, or `invalid` where the project is gone */
export function findAgent(
  configuration: Configuration,
  name: string,
): { readonly agent: AgentConfig; readonly project: ProjectConfig } {
  const agent = configuration.agents.get(name);
  if (!agent) {
    const hint = `agents here: ${[...configuration.agents.keys()].join(", ") || "none"}`;
    throw new HandlerError("not_found", `there is no agent ${JSON.stringify(name)}`, { hint });
  }
  const project = configuration.projects.get(agent.project);
  if (project) return { agent, project };
  throw new HandlerError(
    "invalid",
    `the agent ${name} names the project ${agent.project}, which is not there`,
    {
      where: { file: agent.file, key: "project" },
    },
  );
}

/** Everything that keeps an agent from starting (contracts B.4, G.3); empty where nothing does. */
export async function agentProblems(
  configuration: Configuration,
  name: string,
  ports: { readonly services: ServicesPort; readonly folders: Folders },
): Promise<readonly HandlerError[]> {
  const problems: HandlerError[] = [];
  const keep = (error: unknown) => void problems.push(asHandlerError(error));
  const { agent, project } = findAgent(configuration, name);
  try {
    if (agent.harness !== "external") harnessOf(agent);
  } catch (error) {
    keep(error);
  }
  await workFolder(project, ports.folders).catch(keep);
  for (const text of agent.egress) {
    try {
      parseEgress(text);
    } catch (error) {
      keep(error);
    }
  }
  const { requires, privacy } = project;
  const needs = { file: agent.file, requires, privacy, selection: selectionOf(project, agent) };
  return [...problems, ...missingRequirements(project, agent), ...await ports.services.check(needs)];
}
