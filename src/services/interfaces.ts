import { join } from "node:path";
import { asHandlerError, HandlerError, mapAtMost, NAME_PATTERN } from "../base/mod.ts";
import { listFolder } from "../platform/mod.ts";
import type { Interface } from "./interface.ts";
import { type Published, readPublished } from "./interfaces/published.ts";
import { readInterface } from "./interfaces/read.ts";
import { keepSound, readSound, type SoundFile } from "./interfaces/sound.ts";

/** Where interfaces lie. */
export interface InterfaceSources {
  readonly shippedFolder: string;
  /** The person's own; undefined or missing where there are none. */
  readonly userFolder: string | undefined;
}

/** All sound interfaces by id (`ocr/v1`), and everything that is wrong with the others. */
export interface InterfaceSet {
  readonly interfaces: ReadonlyMap<string, Interface>;
  readonly problems: readonly HandlerError[];
}

/**
 * Reads and lints every `<name>/v<N>` of the two folders (seed §4). A version with any problem is left out and told; the
 * others stay usable. The person's own come with `origin: "user"` and count only once trusted, see `trust.ts`.
 *
 * @param remembered spares the lint of what was found sound before and is the very same
 */
export async function loadInterfaces(
  sources: InterfaceSources,
  remembered?: SoundFile,
): Promise<InterfaceSet> {
  const interfaces = new Map<string, Interface>();
  const problems: HandlerError[] = [];
  const sound = remembered ? await readSound(remembered) : NONE;
  for (
    const [folder, origin] of [[sources.shippedFolder, "shipped"], [sources.userFolder, "user"]] as const
  ) {
    if (folder === undefined) continue;
    const found = await versionFolders(folder);
    const published = await publishedOrNone(folder, problems);
    problems.push(...found.problems);
    const read = (path: string) => {
      const id = path.split("/").slice(-2).join("/");
      return readInterface(path, origin, [published[id], origin === "user" ? sound.get(id) : undefined]);
    };
    for (const { definition, problems: wrong } of await mapAtMost(8, found.folders, read)) {
      problems.push(...wrong);
      if (!definition) continue;
      if (interfaces.has(definition.id)) problems.push(takenId(definition));
      else interfaces.set(definition.id, definition);
    }
  }
  if (remembered) await keepSound(remembered, sound, interfaces.values());
  return { interfaces, problems };
}

const NONE: ReadonlyMap<string, string> = new Map();

/** A `published.json` that cannot be read proves nothing: every version is linted, and the file is told. */
async function publishedOrNone(folder: string, problems: HandlerError[]): Promise<Published> {
  try {
    return await readPublished(folder);
  } catch (error) {
    problems.push(asHandlerError(error));
    return {};
  }
}

/** Lints the folder of one interface version; sound where there is no problem. See {@linkcode readInterface}. */
export async function lintInterface(folder: string): Promise<readonly HandlerError[]> {
  return (await readInterface(folder.replace(/(.)\/+$/, "$1"), "user")).problems;
}

/** `<name>/v<N>` below a folder; anything else that looks like a version is a problem, other files are not looked at. */
async function versionFolders(folder: string): Promise<{ folders: string[]; problems: HandlerError[] }> {
  const folders: string[] = [];
  const problems: HandlerError[] = [];
  for (const { name, kind } of await listFolder(folder)) {
    if (kind !== "folder" || name.startsWith(".")) continue;
    const path = join(folder, name);
    const versions = (await listFolder(path)).filter((entry) => !entry.name.startsWith("."));
    const sound = versions.filter((entry) => entry.kind === "folder" && /^v[1-9]\d{0,3}$/.test(entry.name));
    const strange = versions.find((entry) => !sound.includes(entry));
    if (!NAME_PATTERN.test(name) || versions.length === 0 || strange) {
      const file = strange ? join(path, strange.name) : path;
      problems.push(
        new HandlerError("invalid", "an interface's versions lie in folders <name>/v<N>", {
          where: { file },
        }),
      );
    }
    folders.push(...sound.map((entry) => join(path, entry.name)));
  }
  return { folders, problems };
}

function takenId({ id, folder }: Interface): HandlerError {
  return new HandlerError("invalid", `an interface ${id} ships with Handler`, {
    where: { file: folder },
    hint: "give yours another name: a shipped contract never changes",
  });
}
