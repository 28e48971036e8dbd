import { isDeepStrictEqual } from "node:util";
import { HandlerError, Mutex } from "../base/mod.ts";
import { ensureFolder, isMissing, realPath, removeAll, statIfThere, writeAtomic } from "../platform/mod.ts";
import { removeKey, renderToml, setKey, tomlKey, tomlText } from "../schema/mod.ts";
import { agentKeys, bindingKeys, type FileKeys, personKeys, projectKeys, selectionValue } from "./draft.ts";
import { checkName, type KindFolder, readRegular } from "./folder.ts";
import { loadConfiguration } from "./load.ts";
import { readFile } from "./read_files.ts";
import type { AgentConfig, BindingConfig, Configuration, ProjectConfig } from "./records.ts";
import {
  agentShape,
  bindingShape,
  type Draft,
  type Home,
  type PersonFile,
  personShape,
  projectShape,
} from "./shapes.ts";
import { settingOf } from "./settings.ts";

/** What an editor is made of. */
export interface EditorParts {
  /** The folder of the configuration. */
  readonly folder: string;
  /** What `~` means. */
  readonly home: Home;
}

/** Whether a file that is there already is edited, or is a conflict. */
export type Saving = "new" | "new or edited";

/** Who chooses a binding. */
export interface SelectionOwner {
  readonly kind: "agent" | "project";
  readonly name: string;
}

/**
 * Changes a configuration's files as the command line asks. A file that is there is edited in place, so that comments and
 * order stay. The whole set is loaded with the change before anything is written, so a change that breaks it (an unknown
 * project, a binding that is still selected) leaves every file as it was. Edits run one after the other.
 *
 * Each method gives the set as it is after the edit. All throw `usage` for a name that breaks the rule, a `ProblemList` for
 * a set that would be broken, and `conflict` where a file was changed meanwhile, cannot be edited without harm, or is
 * there already and was to be new.
 */
export class ConfigurationEditor {
  readonly #parts: EditorParts;
  readonly #turns = new Mutex();

  constructor(parts: EditorParts) {
    this.#parts = parts;
  }

  /** Writes an agent's file. */
  saveAgent(name: string, agent: Draft<AgentConfig>, saving: Saving): Promise<Configuration> {
    return this.#save("agents", name, agentKeys(agent), saving);
  }

  /** Writes a project's file. */
  saveProject(name: string, project: Draft<ProjectConfig>, saving: Saving): Promise<Configuration> {
    return this.#save("projects", name, projectKeys(project), saving);
  }

  /** Writes a binding's file. */
  saveBinding(name: string, binding: Draft<BindingConfig>, saving: Saving): Promise<Configuration> {
    return this.#save("bindings", name, bindingKeys(binding), saving);
  }

  /** Writes a person's file, a new one or in place. */
  savePerson(name: string, person: PersonFile): Promise<Configuration> {
    return this.#save("persons", name, personKeys(person), "new or edited");
  }

  /** Removes an agent's file. @throws {HandlerError} `not_found` */
  removeAgent(name: string): Promise<Configuration> {
    return this.#remove("agents", name);
  }

  /** Removes a project's file; refused while an agent is of it. @throws {HandlerError} `not_found` */
  removeProject(name: string): Promise<Configuration> {
    return this.#remove("projects", name);
  }

  /** Removes a binding's file; refused while it is selected. @throws {HandlerError} `not_found` */
  removeBinding(name: string): Promise<Configuration> {
    return this.#remove("bindings", name);
  }

  /** Removes a person's file. @throws {HandlerError} `not_found` */
  removePerson(name: string): Promise<Configuration> {
    return this.#remove("persons", name);
  }

  /**
   * Writes a file whole, as it was before it was removed.
   * @throws {HandlerError} `conflict` where one of that name is there
   */
  putBack(kind: "agent" | "project" | "binding", name: string, text: string): Promise<Configuration> {
    return this.#change(`${kind}s`, name, (now) => {
      if (now !== undefined) throw this.#isThere(`${kind}s`, name);
      return text;
    });
  }

  /**
   * Chooses the bindings of one interface, in order of preference; an empty list takes the choice away.
   * @throws {HandlerError} `not_found` where there is no such agent or project
   */
  setSelection(
    owner: SelectionOwner,
    interfaceName: string,
    bindings: readonly string[],
  ): Promise<Configuration> {
    const kind = `${owner.kind}s` as const;
    const path = ["services", interfaceName];
    return this.#change(kind, owner.name, (text) => {
      checkName("an interface", interfaceName);
      if (text === undefined) throw missing(kind, owner.name);
      return bindings.length > 0 ? setKey(text, path, selectionValue(bindings)) : removeKey(text, path);
    });
  }

  /**
   * Writes one key of `config.toml`, or takes it out (null); the file is made where there is none.
   * @throws {HandlerError} `not_found` for a key that there is not
   */
  async saveSetting(key: string, value: string | null): Promise<Configuration> {
    const { write } = settingOf(key);
    const path = key.split(".");
    return await this.#edit(`${this.#parts.folder}/config.toml`, (text) => {
      if (value === null) return text === undefined ? null : removeKey(text, path);
      return setKey(text ?? 'apiVersion = "handler.config/v1"\n', path, write(value));
    });
  }

  #save(kind: KindFolder, name: string, keys: FileKeys, saving: Saving): Promise<Configuration> {
    return this.#change(kind, name, async (text) => {
      if (text === undefined) return freshFile(kind, keys);
      if (saving === "new") throw this.#isThere(kind, name);
      return editedFile(text, await this.#keysOf(kind, text), keys);
    });
  }

  #remove(kind: KindFolder, name: string): Promise<Configuration> {
    return this.#change(kind, name, (text) => {
      if (text === undefined) throw missing(kind, name);
      return null;
    });
  }

  #isThere(kind: KindFolder, name: string): HandlerError {
    return new HandlerError("conflict", `there is ${SINGULAR[kind]} "${name}" already`, {
      where: { file: `${this.#parts.folder}/${kind}/${name}.toml` },
      hint: "--replace changes it to what you say; or edit its file, then handler reload",
    });
  }

  /** What a text says now, so that only what differs is touched; nothing where it cannot be read. */
  async #keysOf(kind: KindFolder, text: string): Promise<FileKeys | undefined> {
    const source = { name: kind, path: kind, read: () => Promise.resolve(text) };
    if (kind === "agents") return keys(await readFile("agent", source, agentShape()), agentKeys);
    if (kind === "persons") return keys(await readFile("person", source, personShape()), personKeys);
    const { home } = this.#parts;
    if (kind === "projects") return keys(await readFile("project", source, projectShape(home)), projectKeys);
    return keys(await readFile("binding", source, bindingShape(home)), bindingKeys);
  }

  async #change(
    kind: KindFolder,
    name: string,
    edit: (text: string | undefined) => string | null | Promise<string>,
  ): Promise<Configuration> {
    checkName(SINGULAR[kind], name);
    return await this.#edit(`${this.#parts.folder}/${kind}/${name}.toml`, edit);
  }

  async #edit(
    path: string,
    edit: (text: string | undefined) => string | null | Promise<string>,
  ): Promise<Configuration> {
    return await this.#turns.run(async () => {
      const before = await readIfThere(path);
      const after = await edit(before);
      const overlay = new Map([[path, after]]);
      const whole = await loadConfiguration(this.#parts.folder, { home: this.#parts.home, overlay });
      if (after !== (before ?? null)) await this.#write(path, before, after);
      return whole;
    });
  }

  async #write(path: string, before: string | undefined, after: string | null): Promise<void> {
    if (await readIfThere(path) !== before) {
      throw new HandlerError("conflict", "the file was changed while it was edited", {
        where: { file: path },
      });
    }
    if (after === null) return await removeAll(path);
    await ensureFolder(path.slice(0, path.lastIndexOf("/")));
    // a link into a folder that a person keeps elsewhere stays a link
    const target = before === undefined ? path : await realPath(path);
    const mode = (await statIfThere(target))?.mode ?? undefined;
    await writeAtomic(target, after, mode === undefined ? undefined : mode & 0o777);
  }
}

const SINGULAR: Readonly<Record<KindFolder, string>> = {
  agents: "an agent",
  projects: "a project",
  bindings: "a binding",
  persons: "a person",
};

const API_VERSION: Readonly<Record<KindFolder, string>> = {
  agents: "handler.agent/v1",
  projects: "handler.project/v1",
  bindings: "handler.binding/v1",
  persons: "handler.person/v1",
};

/** The text of a file, byte order mark and all; no letter of it may be guessed, for it is written back. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return tomlText(await readRegular(path), path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function missing(kind: KindFolder, name: string): HandlerError {
  return new HandlerError("not_found", `there is no ${kind.slice(0, -1)} "${name}"`);
}

function keys<T>(
  file: { readonly decoded: { readonly record: T | undefined } | undefined },
  take: (record: T) => FileKeys,
): FileKeys | undefined {
  const record = file.decoded?.record;
  return record && take(record);
}

function freshFile(kind: KindFolder, keys: FileKeys): string {
  const lines = Object.entries(keys).flatMap(([key, value]) =>
    value === undefined ? [] : [`${tomlKey(key)} = ${renderToml(value)}`]
  );
  return [`apiVersion = "${API_VERSION[kind]}"`, ...lines, ""].join("\n");
}

function editedFile(text: string, now: FileKeys | undefined, meant: FileKeys): string {
  return Object.entries(meant).reduce((edited, [key, value]) => {
    if (now && isDeepStrictEqual(now[key], value)) return edited;
    return value === undefined ? removeKey(edited, [key]) : setKey(edited, [key], value);
  }, text);
}
