import { HandlerError, NAME_PATTERN, NAME_RULE, nearest } from "../base/mod.ts";
import { type Entry, listFolder, readBytes, realPath, statIfThere } from "../platform/mod.ts";
import { quoted } from "../schema/mod.ts";

/** The folders of a configuration, each with files of one kind. */
export type KindFolder = "agents" | "projects" | "bindings" | "persons";

/** All of them. */
export const KINDS: readonly KindFolder[] = ["agents", "projects", "bindings", "persons"];

/** A file to decode; `content` is read when it is asked for. */
export interface SourceFile {
  /** The name without `.toml`. */
  readonly name: string;
  readonly path: string;
  read(): Promise<string | Uint8Array>;
}

/** All files of a configuration, before they are decoded. */
export interface Sources {
  readonly main: SourceFile | undefined;
  readonly files: Readonly<Record<KindFolder, readonly SourceFile[]>>;
  /** Files that are there and would not be read. */
  readonly problems: readonly HandlerError[];
}

/** What an edit would put at a path, in place of what is there: a text, or null for nothing. */
export type Overlay = ReadonlyMap<string, string | null>;

/** Folders that belong to other parts, so that their names are no mistakes. */
const OTHERS = ["automations"];

/** Looks through a configuration's folder. @param overlay what an edit would change, by path */
export async function findSources(folder: string, overlay: Overlay = new Map()): Promise<Sources> {
  const top = await listFolder(folder);
  const mainPath = `${folder}/config.toml`;
  const hasMain = top.some((entry) => entry.name === "config.toml");
  const [agents, projects, bindings, persons] = await Promise.all(
    KINDS.map((kind) => kindFiles(`${folder}/${kind}`, overlay)),
  ) as [KindFiles, KindFiles, KindFiles, KindFiles];
  const odd = top.flatMap((entry) => oddTopEntry(folder, entry));
  return {
    main: present(hasMain, mainPath, overlay) ? source("config", mainPath, overlay) : undefined,
    files: {
      agents: agents.files,
      projects: projects.files,
      bindings: bindings.files,
      persons: persons.files,
    },
    problems: [...odd, ...[agents, projects, bindings, persons].flatMap(({ problems }) => problems)],
  };
}

interface KindFiles {
  readonly files: readonly SourceFile[];
  readonly problems: readonly HandlerError[];
}

function present(onDisk: boolean, path: string, overlay: Overlay): boolean {
  const laid = overlay.get(path);
  return laid === undefined ? onDisk : laid !== null;
}

function source(name: string, path: string, overlay: Overlay): SourceFile {
  return { name, path, read: async () => overlay.get(path) ?? await readRegular(path) };
}

/** The largest file that is read, in bytes. */
const LARGEST = 16 * 1024 * 1024;

/** The bytes of a file, also through a link; a FIFO would be waited for without end. */
export async function readRegular(path: string): Promise<Uint8Array> {
  const info = await statIfThere(await realPath(path));
  if (!info?.isFile) throw new HandlerError("invalid", "it is no regular file");
  if (info.size > LARGEST) {
    throw new HandlerError("invalid", `it must have at most ${LARGEST} bytes, found ${info.size}`);
  }
  return await readBytes(path);
}

async function kindFiles(folder: string, overlay: Overlay): Promise<KindFiles> {
  const names = new Set<string>();
  const problems: HandlerError[] = [];
  for (const entry of await listFolder(folder)) {
    const found = fileProblem(entry);
    if (found) problems.push(problemAt(`${folder}/${entry.name}`, found));
    else if (isRead(entry)) names.add(entry.name.slice(0, -".toml".length));
  }
  for (const [path, content] of overlay) {
    const rest = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1, -".toml".length) : "";
    if (rest && content !== null) names.add(rest);
    else if (rest) names.delete(rest);
  }
  const files = [...names].sort().map((name) => source(name, `${folder}/${name}.toml`, overlay));
  return { files, problems };
}

/** Dotfiles, what editors leave beside a file, and notes for people are passed over in silence. */
const PASSED =
  /^\.|^#.*#$|~$|^4913$|\.(?:swp|swo|swx|bak|backup|old|orig|rej|tmp|new|md|txt)$|^(?:README|LICENSE)$/i;

function isRead(entry: Entry): boolean {
  return entry.kind !== "folder" && !PASSED.test(entry.name);
}

/** What is wrong with a file's name or kind; undefined for one that is read or passed over. */
function fileProblem(entry: Entry): { readonly message: string; readonly hint?: string } | undefined {
  if (PASSED.test(entry.name)) return undefined;
  const named = entry.name.endsWith(".toml");
  if (entry.kind === "folder") {
    return named ? { message: "must be a file, found a folder" } : undefined;
  }
  if (!named) return { message: 'is not read: its name must end in ".toml"', ...renameHint(entry.name) };
  const name = entry.name.slice(0, -".toml".length);
  if (entry.kind === "other") return { message: "must be a file, found a socket, a FIFO or a device" };
  return NAME_PATTERN.test(name) ? undefined : { message: nameMessage(name) };
}

function renameHint(fileName: string): { readonly hint?: string } {
  const name = fileName.split(".")[0] ?? "";
  return NAME_PATTERN.test(name) ? { hint: `if it is meant to be read, rename it to ${name}.toml` } : {};
}

function nameMessage(name: string): string {
  return `its name without ".toml" must be ${NAME_RULE}, found ${quoted(name)}`;
}

/** A file or folder beside `config.toml` whose name looks like a mistyped one of ours. */
function oddTopEntry(folder: string, entry: Entry): readonly HandlerError[] {
  if (PASSED.test(entry.name)) return [];
  const path = `${folder}/${entry.name}`;
  const isFolder = entry.kind === "folder";
  if (entry.name === "config.toml") {
    return isFolder ? [problemAt(path, { message: "must be a file, found a folder" })] : [];
  }
  const known: readonly string[] = isFolder ? [...KINDS, ...OTHERS] : ["config.toml"];
  if (known.includes(entry.name) || entry.kind === "link") return [];
  const near = nearest(entry.name, known);
  return near ? [problemAt(path, { message: "is not read", hint: `did you mean ${near}?` })] : [];
}

function problemAt(file: string, found: { readonly message: string; readonly hint?: string }): HandlerError {
  return new HandlerError("invalid", found.message, {
    where: { file },
    ...(found.hint ? { hint: found.hint } : {}),
  });
}

/** Refuses a name that no file may have. @throws {HandlerError} `usage` */
export function checkName(kind: string, name: string): void {
  if (NAME_PATTERN.test(name)) return;
  throw new HandlerError("usage", `the name of ${kind} must be ${NAME_RULE}, found ${quoted(name)}`, {
    where: { key: "name" },
  });
}
