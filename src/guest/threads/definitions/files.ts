import { errorText, nearest } from "../../../base/mod.ts";
import type { DefinitionKind } from "../../spec/brand.ts";
import { type Kind, KINDS } from "./kinds.ts";
import type { Problems } from "./problems.ts";

/** A file that should define something. */
export interface DefinitionFile {
  readonly kind: DefinitionKind;
  /** From the project's folder: `agents/tools/search.ts`. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  /** Its name without the ending. */
  readonly stem: string;
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

const CODE = /^(.+)\.m?[tj]s$/;
const NO_DEFINITION = /^(_|\.|CLAUDE\b|AGENTS\b)|[._](test|spec)\.m?[tj]s$|\.d\.m?ts$/;
const DEFINES = /\bdefine(Agent|Prompt|Model|Provider|Tool|Hook|Effect|Handler)\s*\(/;
const UNSERVED: Readonly<Record<string, string>> = {
  api: "it is not loaded: threads have no endpoints of a project's own here",
  users: "it is not loaded: users have no endpoints of a project's own here",
  packed: "packed packages are not loaded: put their definitions among the project's own",
};

/** The files of a project that define something, each kind's by name. Reads are synchronous: nobody else is waiting yet. */
export function findFiles(folder: string, problems: Problems): readonly DefinitionFile[] {
  const top = entries(folder, "agents", problems);
  if (!top) {
    problems.error("agents", "", "the project has no folder agents/: its definitions belong there");
    return [];
  }
  for (const entry of top) judgeTop(folder, entry, problems);
  const there = (kind: Kind) => top.some(({ name, isFolder }) => isFolder && name === kind.folder);
  return KINDS.filter(there).flatMap((kind) => filesOf(folder, kind, problems));
}

function entries(folder: string, place: string, problems: Problems): readonly Entry[] | undefined {
  try {
    return [...Deno.readDirSync(`${folder}/${place}`)]
      .map(({ name, isDirectory, isSymlink }) => ({
        name,
        isFolder: isDirectory || (isSymlink && isFolderBehind(`${folder}/${place}/${name}`)),
      }))
      .sort((one, other) => one.name < other.name ? -1 : 1);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    problems.error(place, "", `the folder cannot be read: ${errorText(error)}`);
    return [];
  }
}

function isFolderBehind(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function judgeTop(folder: string, { name, isFolder }: Entry, problems: Problems): void {
  const file = `agents/${name}`;
  if (!isFolder) {
    if (defines(`${folder}/${file}`)) {
      problems.warn(file, "", "it is not loaded: definitions lie in folders such as agents/agents/");
    }
    return;
  }
  const known = KINDS.map((kind) => kind.folder);
  if (known.includes(name)) return;
  if (Object.hasOwn(UNSERVED, name)) return problems.warn(file, "", UNSERVED[name] ?? "");
  const near = nearest(name, known);
  if (near) problems.warn(file, "", `it is not loaded (did you mean agents/${near}/?)`);
}

function filesOf(folder: string, kind: Kind, problems: Problems): readonly DefinitionFile[] {
  const place = `agents/${kind.folder}`;
  const found: DefinitionFile[] = [];
  for (const { name, isFolder } of entries(folder, place, problems) ?? []) {
    const file = `${place}/${name}`;
    if (isFolder) {
      judgeNested(folder, file, kind, problems);
      continue;
    }
    const stem = CODE.exec(name)?.[1];
    if (stem === undefined || NO_DEFINITION.test(name)) continue;
    if (kind.kind === "hook" && stem === "index") continue;
    found.push({ kind: kind.kind, file, path: `${folder}/${file}`, stem });
  }
  return found;
}

/** Helpers may lie deeper; a definition that does is most likely meant to be loaded. */
function judgeNested(folder: string, place: string, kind: Kind, problems: Problems): void {
  for (const { name, isFolder } of entries(folder, place, problems) ?? []) {
    const file = `${place}/${name}`;
    if (isFolder || NO_DEFINITION.test(name) || !defines(`${folder}/${file}`)) continue;
    problems.warn(file, "", `it is not loaded: only files directly in agents/${kind.folder}/ are`);
  }
}

function defines(path: string): boolean {
  return CODE.test(path) && DEFINES.test(readText(path));
}

/** What a file says; nothing where it cannot be read. */
export function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
