import { agentEnv, selectionOf } from "../../agents/mod.ts";
import type { AgentSight, DeskOperations, InterfaceDetail } from "../../api/mod.ts";
import { HandlerError, type Json } from "../../base/mod.ts";
import { envNames } from "../../sandbox/mod.ts";
import type { ToolDefinition } from "../../services/mod.ts";
import type { Parts } from "../assemble.ts";
import { interfaceViewOf } from "./catalog.ts";

/** Interfaces and agents as a model meets them. */
export function sightOperations(parts: Parts): Pick<DeskOperations, "interfaceShow" | "agentSight"> {
  return {
    interfaceShow: (id) => detail(parts, id),
    // deno-lint-ignore require-await -- what is thrown must reject
    agentSight: async (name) => sight(parts, name),
  };
}

async function detail(parts: Parts, id: string): Promise<InterfaceDetail> {
  const view = await interfaceViewOf(parts, id);
  const { tools, skill } = parts.services.catalog.allInterfaces.get(id)!;
  return { view, tools: asJson(tools), skill };
}

function sight({ configuration, services }: Parts, name: string): AgentSight {
  const { agents, projects } = configuration.current();
  const agent = agents.get(name);
  const project = agent && projects.get(agent.project);
  if (!project) throw new HandlerError("not_found", `there is no agent ${JSON.stringify(name)}`);
  const selection = selectionOf(project, agent);
  const served = [...services.catalog.selected(selection, project.requires)];
  const external = agent.harness === "external";
  return {
    agent: name,
    folder: project.path,
    interfaces: served.flatMap(([short, id]) => {
      const definition = services.catalog.interfaces.get(id);
      if (!definition) return [];
      return [{
        id,
        bindings: selection[short] ?? [],
        tools: asJson(definition.tools),
        skill: definition.skill,
      }];
    }),
    egress: external ? [] : agent.egress,
    env: external ? [] : envNames(agentEnv(agent, "", {}), agent.egress.length > 0),
  };
}

function asJson(tools: readonly ToolDefinition[]): readonly Json[] {
  return tools.map((tool) => ({ ...tool }));
}
