import { nearest } from "../base/mod.ts";
import type { HandlerError } from "../base/mod.ts";
import { type Decoded, quoted } from "../schema/mod.ts";
import type { LoadedFiles } from "./read_files.ts";
import type { AgentConfig, BindingConfig, ProjectConfig, Selection } from "./records.ts";
import type { Draft, PersonFile } from "./shapes.ts";

/** All decoded files of a configuration. */
export interface Files {
  readonly agents: LoadedFiles<Draft<AgentConfig>>;
  readonly projects: LoadedFiles<Draft<ProjectConfig>>;
  readonly bindings: LoadedFiles<Draft<BindingConfig>>;
  readonly persons: LoadedFiles<PersonFile>;
}

/**
 * What is wrong between the files: an agent's project that is not there, a selected binding that is not there or is an
 * addon's (contract G.3). A file that is there but broken counts as there: its own problems are told already.
 */
export function checkReferences(files: Files): readonly HandlerError[] {
  const problems: HandlerError[] = [];
  for (const { decoded } of files.projects.values()) {
    if (decoded) problems.push(...checkSelection(decoded, files));
  }
  for (const { decoded } of files.agents.values()) {
    if (decoded) problems.push(...checkAgent(decoded, files));
  }
  return problems;
}

function checkAgent(decoded: Decoded<Draft<AgentConfig>>, files: Files): readonly HandlerError[] {
  if (!decoded.record) return [];
  const { project, addons } = decoded.record;
  const problems: HandlerError[] = [];
  if (!files.projects.has(project)) {
    const hint = missingHint("projects", project, files.projects);
    problems.push(decoded.problem(["project"], `must be a project, found ${quoted(project)}`, hint));
  }
  addons.forEach((name, index) => {
    const problem = wrongBinding(name, "addon", files);
    if (problem) problems.push(decoded.problem(["addons", index], problem.message, problem.hint));
  });
  return [...problems, ...checkSelection(decoded, files)];
}

function checkSelection(
  decoded: Decoded<{ readonly services: Selection }>,
  files: Files,
): readonly HandlerError[] {
  const problems: HandlerError[] = [];
  for (const [service, names] of Object.entries(decoded.record?.services ?? {})) {
    names.forEach((name, index) => {
      const problem = wrongBinding(name, "connector", files);
      if (!problem) return;
      const path = names.length === 1 ? ["services", service] : ["services", service, index];
      problems.push(decoded.problem(path, problem.message, problem.hint));
    });
  }
  return problems;
}

function wrongBinding(
  name: string,
  kind: "connector" | "addon",
  files: Files,
): { readonly message: string; readonly hint: string } | undefined {
  const binding = files.bindings.get(name);
  if (!binding) {
    const hint = missingHint("bindings", name, files.bindings);
    return { message: `must be a binding, found ${quoted(name)}`, hint };
  }
  const uses = binding.decoded?.record?.uses;
  if (!uses || uses.kind === kind) return undefined;
  return {
    message: `must be the binding of ${article(kind)}, found ${quoted(name)}, which is of ${
      article(uses.kind)
    }`,
    hint: uses.kind === "addon" ? 'addons stand under "addons"' : 'connectors stand under "services"',
  };
}

function article(kind: "connector" | "addon"): string {
  return kind === "addon" ? "an addon" : "a connector";
}

function missingHint(folder: string, name: string, known: ReadonlyMap<string, unknown>): string {
  const near = nearest(name, [...known.keys()]);
  return near ? `did you mean ${quoted(near)}?` : `there is no ${folder}/${name}.toml`;
}
