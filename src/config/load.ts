import { deepFreeze, type HandlerError, ProblemList } from "../base/mod.ts";
import { homeFolder } from "../platform/mod.ts";
import { decodeToml } from "../schema/mod.ts";
import { checkReferences, type Files } from "./check.ts";
import { findSources, type Overlay } from "./folder.ts";
import { frozenMap } from "./frozen_map.ts";
import { type LoadedFiles, readFile, readFiles } from "./read_files.ts";
import { type Configuration, type MainConfig, OWNER, type PersonConfig } from "./records.ts";
import {
  agentShape,
  bindingShape,
  type Draft,
  type Home,
  mainShape,
  type PersonFile,
  personShape,
  projectShape,
} from "./shapes.ts";

/** What may differ from the usual when a configuration is loaded. */
export interface LoadOptions {
  /** What `~` means; the person's home folder unless told. */
  readonly home?: Home;
  /** Texts that stand in for files, by path; null for a file that is taken away. */
  readonly overlay?: Overlay;
}

/**
 * Reads a folder of configuration: `config.toml` (which may be missing) and the files of `agents/`, `projects/`,
 * `bindings/` and `persons/`. A folder that is not there is an empty one.
 * @returns the whole set, frozen
 * @throws {ProblemList} with every problem of every file, references between files included
 */
export async function loadConfiguration(folder: string, options: LoadOptions = {}): Promise<Configuration> {
  const home = options.home ?? homeFolder;
  const sources = await findSources(folder, options.overlay);
  const main = sources.main && await readFile("config", sources.main, mainShape(home));
  const files: Files = {
    projects: await readFiles("project", sources.files.projects, projectShape(home)),
    bindings: await readFiles("binding", sources.files.bindings, bindingShape(home)),
    agents: await readFiles("agent", sources.files.agents, agentShape()),
    persons: await readFiles("person", sources.files.persons, personShape()),
  };
  const problems = [...sources.problems, ...main?.problems ?? [], ...allProblems(files)];
  if (problems.length > 0) throw new ProblemList(folder, problems);
  return Object.freeze({
    main: main?.decoded?.record ?? defaultMain(home),
    agents: records(files.agents),
    projects: records(files.projects),
    bindings: records(files.bindings),
    persons: persons(files.persons),
  });
}

function allProblems(files: Files): readonly HandlerError[] {
  const own = Object.values(files).flatMap((kind: LoadedFiles<unknown>) =>
    [...kind.values()].flatMap((file) => file.problems)
  );
  return [...own, ...checkReferences(files)];
}

/** What `config.toml` says where there is none. */
export function defaultMain(home: Home = homeFolder): MainConfig {
  const file = "config.toml";
  return decodeToml('apiVersion = "handler.config/v1"', { file, kind: "config", shape: mainShape(home) });
}

function records<T extends { readonly name: string; readonly file: string }>(
  files: LoadedFiles<Draft<T>>,
): ReadonlyMap<string, T> {
  const entries = [...files.values()].map(({ name, path, decoded }) =>
    [name, deepFreeze({ name, file: path, ...decoded?.record } as T)] as const
  );
  return frozenMap(entries);
}

/** The owner is there whether or not a file says something of them. */
function persons(files: LoadedFiles<PersonFile>): ReadonlyMap<string, PersonConfig> {
  const said = new Map(
    [...files.values()].map(({ name, path, decoded }) => [name, { path, ...decoded?.record }]),
  );
  const all = [...new Set([OWNER, ...said.keys()])].map((name) => {
    const { path, displayName = name, desktop = name === OWNER, env = {} } = said.get(name) ?? {};
    return [name, deepFreeze({ name, file: path, displayName, desktop, env })] as const;
  });
  return frozenMap(all);
}
