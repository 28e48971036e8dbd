import { HandlerError, ProblemList } from "../../base/mod.ts";
import type {
  AgentView,
  NewAgent,
  NewBinding,
  NewProject,
  Operations,
  ProjectView,
  Removed,
} from "../../api/mod.ts";
import type {
  AgentConfig,
  BindingConfig,
  ConfigurationChange,
  ProjectConfig,
  Saving,
} from "../../config/mod.ts";
import { workFolder } from "../../agents/mod.ts";
import { readTextIfThere } from "../../platform/mod.ts";
import { checkBinding } from "../../services/mod.ts";
import type { Parts } from "../assemble.ts";
import { bindingView, usersOf } from "./catalog.ts";
import { problemsOf } from "./problem.ts";
import { toReference } from "./reference.ts";

type ConfigurationOperations = Pick<
  Operations,
  | "reload"
  | "bindingAdd"
  | "bindingRemove"
  | "agents"
  | "agentAdd"
  | "agentRemove"
  | "projects"
  | "projectAdd"
  | "projectRemove"
  | "putBack"
  | "select"
>;

/** What a person writes, and the edits that the command line makes in it. */
export function configurationOperations(parts: Parts): ConfigurationOperations {
  const { configuration, editor } = parts;
  return {
    reload: () => reload(parts),
    async bindingAdd(binding) {
      const known = configuration.current().bindings.get(binding.name);
      await refuseBroken(parts, toBinding(known, binding));
      await editor.saveBinding(binding.name, toBinding(known, binding), saving(binding));
      await reload(parts);
      return bindingView(parts, binding.name);
    },
    async bindingRemove(name) {
      const users = usersOf(parts, name);
      if (users.length > 0) {
        throw new HandlerError("conflict", `the binding ${name} is used by ${users.join(", ")}`, {
          hint: "choose another binding there first: handler agent select, handler project select",
        });
      }
      return await removed(parts, "binding", name, () => editor.removeBinding(name));
    },
    agents: () =>
      Promise.all([...configuration.current().agents.values()].map((agent) => agentView(parts, agent))),
    async agentAdd(agent) {
      const known = configuration.current().agents.get(agent.name);
      await editor.saveAgent(agent.name, toAgent(known, agent), saving(agent));
      await reload(parts);
      return await agentView(parts, configuration.current().agents.get(agent.name)!);
    },
    async agentRemove(name) {
      const running = parts.agents.list({ all: false }).filter((session) => session.agent === name);
      if (running.length > 0) {
        throw new HandlerError("conflict", `the agent ${name} has a session that runs: ${running[0]!.id}`, {
          hint: `end it first: handler stop ${running[0]!.id}`,
        });
      }
      return await removed(parts, "agent", name, () => editor.removeAgent(name));
    },
    projects: () =>
      Promise.resolve([...configuration.current().projects.values()].map((one) => projectView(parts, one))),
    async projectAdd(project) {
      await refuseFolder(parts, project);
      const known = configuration.current().projects.get(project.name);
      await editor.saveProject(project.name, toProject(known, project), saving(project));
      await reload(parts);
      return projectView(parts, configuration.current().projects.get(project.name)!);
    },
    projectRemove: (name) => removed(parts, "project", name, () => editor.removeProject(name)),
    async putBack({ kind, name, text }) {
      await editor.putBack(kind, name, text);
      await reload(parts);
    },
    async select(owner, name, interfaceName, bindings) {
      await refuseUnfit(parts, owner, name, interfaceName, bindings);
      await editor.setSelection({ kind: owner, name }, interfaceName, bindings);
      await reload(parts);
    },
  };
}

/** Reads the folder anew, swaps the set in where it is sound, then the connectors whose binding changed. */
export async function reload(parts: Parts): Promise<{ readonly changed: readonly string[] }> {
  const { services } = parts;
  const result = await parts.configuration.reload(({ bindings }) => services.prepare(bindings));
  parts.changes.tell("configuration");
  if (!result.ok) throw result.error;
  for (const problem of await services.refresh()) parts.log.log("warn", problem.message);
  const changed = changeTexts(result.change);
  if (changed.length > 0) parts.log.log("info", `configuration: ${changed.join(", ")}`);
  return { changed };
}

function changeTexts(change: ConfigurationChange): readonly string[] {
  const kinds = [
    ["agent", change.agents],
    ["project", change.projects],
    ["binding", change.bindings],
    ["person", change.persons],
  ] as const;
  const named = kinds.flatMap(([kind, names]) =>
    (["added", "changed", "removed"] as const).flatMap((how) =>
      names[how].map((name) => `${how} ${kind} ${name}`)
    )
  );
  return change.main ? ["changed config.toml", ...named] : named;
}

/** Takes a file out; what it said goes to the one who asked, who may put it back. */
async function removed(
  parts: Parts,
  kind: Removed["kind"],
  name: string,
  remove: () => Promise<unknown>,
): Promise<Removed> {
  const file = parts.configuration.current()[`${kind}s`].get(name)?.file;
  const text = file === undefined ? "" : await readTextIfThere(file) ?? "";
  await remove();
  await reload(parts);
  return { kind, name, text };
}

function saving({ replace }: { readonly replace?: boolean }): Saving {
  return replace ? "new or edited" : "new";
}

/** An agent of that name keeps what the command line does not say. */
function toAgent(known: AgentConfig | undefined, agent: NewAgent): Omit<AgentConfig, "name" | "file"> {
  const harness = HARNESSES.find((name) => name === agent.harness);
  if (!harness) {
    const found = JSON.stringify(agent.harness);
    throw new HandlerError("usage", `the harness is one of ${HARNESSES.join(", ")}, found ${found}`, {
      where: { key: "harness" },
    });
  }
  return {
    project: agent.project,
    harness,
    command: agent.command,
    services: agent.services,
    model: agent.model === undefined ? known?.model : agent.model || undefined,
    addons: agent.addons ?? known?.addons ?? [],
    egress: agent.egress ?? known?.egress ?? [],
    env: agent.env ?? known?.env ?? {},
    image: agent.image === undefined ? known?.image : agent.image || undefined,
  };
}

/** The harnesses that this version can run; the file format knows more names. */
const HARNESSES = ["command", "external"] as const;

function toProject(
  known: ProjectConfig | undefined,
  project: NewProject,
): Omit<ProjectConfig, "name" | "file"> {
  const { path, requires, privacy, services = known?.services ?? {}, env = known?.env ?? {} } = project;
  return { path, requires, privacy, services, env };
}

function toBinding(known: BindingConfig | undefined, binding: NewBinding) {
  const { name, connector, description, settings, secrets, prices = known?.prices ?? {} } = binding;
  const references = Object.entries(secrets).map(([slot, text]) => [slot, toReference(slot, text)] as const);
  return {
    name,
    uses: { kind: "connector", name: connector } as const,
    description,
    settings,
    prices,
    secrets: Object.fromEntries(references),
  };
}

/** A work folder that no agent could have is refused before anything is written. */
async function refuseFolder({ folders }: Parts, { name, path }: NewProject): Promise<void> {
  try {
    await workFolder({ name, path, file: "" }, folders);
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    // there is no file yet to point at
    throw new HandlerError(error.kind, error.message, { cause: error, where: { key: "path" } });
  }
}

/** A binding that breaks its connector's manifest is refused before anything is written (contract G.2). */
async function refuseBroken(parts: Parts, binding: ReturnType<typeof toBinding>): Promise<void> {
  const check = await checkBinding(
    { ...binding, file: `bindings/${binding.name}.toml` },
    parts.services.catalog.connectors,
  );
  if (check.ok) return;
  throw check.problems.length === 1
    ? check.problems[0]
    : new ProblemList(`binding ${binding.name}`, check.problems);
}

/** A choice that could not serve is refused when it is made, not at the next call (contract G.3). */
async function refuseUnfit(
  parts: Parts,
  owner: "agent" | "project",
  name: string,
  interfaceName: string,
  bindings: readonly string[],
): Promise<void> {
  if (bindings.length === 0) return;
  const { agents, projects } = parts.configuration.current();
  const agent = owner === "agent" ? agents.get(name) : undefined;
  const project = owner === "project" ? projects.get(name) : projects.get(agent?.project ?? "");
  const [problem] = await parts.services.check({
    file: agent?.file ?? project?.file ?? name,
    requires: project?.requires ?? [],
    selection: { [interfaceName]: bindings },
    privacy: project?.privacy ?? "any",
  });
  if (problem) throw problem;
}

async function agentView(parts: Parts, agent: AgentConfig): Promise<AgentView> {
  const { name, project, harness, command, services, egress, env, addons, file } = agent;
  const problems = (await parts.agents.problems(name)).flatMap(problemsOf);
  const [model, image] = [agent.model ?? null, agent.image ?? null];
  return { name, project, harness, command, services, egress, env, model, addons, image, file, problems };
}

function projectView(parts: Parts, project: ProjectConfig): ProjectView {
  const { name, path, requires, services, privacy, env, file } = project;
  const agents = [...parts.configuration.current().agents.values()].filter((agent) => agent.project === name);
  return { name, path, requires, services, privacy, env, file, agents: agents.map((agent) => agent.name) };
}
