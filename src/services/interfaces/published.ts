import { HandlerError, isObject } from "../../base/mod.ts";
import { readTextIfThere, writeAtomic } from "../../platform/mod.ts";
import type { Interface } from "../interface.ts";

/** `published.json`: interface version such as `ocr/v1` to the hash it is frozen with (contract S.7). */
export type Published = Readonly<Record<string, string>>;

/** Reads `published.json` of a folder of interfaces; nothing published where there is none. */
export async function readPublished(folder: string): Promise<Published> {
  const file = `${folder}/published.json`;
  const text = await readTextIfThere(file);
  if (text === undefined) return {};
  const refuse = (message: string) => new HandlerError("invalid", message, { where: { file } });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("must be JSON");
  }
  const entries = isObject(value) ? Object.entries(value) : [];
  const wellFormed = isObject(value) &&
    entries.every(([id, hash]) =>
      /^[a-z][a-z0-9-]*\/v[1-9]\d*$/.test(id) && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash)
    );
  if (!wellFormed) throw refuse('must be an object of "name/vN" to the SHA-256 in hexadecimal');
  return value as Published;
}

/**
 * What breaks the freeze: a published version that is gone or has another hash than it was published with, and, where
 * `all` must be published, a version that is not.
 */
export function freezeProblems(
  published: Published,
  interfaces: Iterable<Pick<Interface, "id" | "hash" | "folder">>,
  options: { readonly all: boolean },
): readonly HandlerError[] {
  const there = new Map(Array.from(interfaces, (one) => [one.id, one]));
  const broken = Object.entries(published).flatMap(([id, hash]) => {
    const one = there.get(id);
    if (!one) return [new HandlerError("invalid", `the published interface ${id} is gone or cannot be read`)];
    return one.hash === hash ? [] : [changed(one, hash)];
  });
  const missing = [...there.values()].filter(({ id }) => options.all && !Object.hasOwn(published, id));
  return [
    ...broken,
    ...missing.map(({ id, folder }) =>
      new HandlerError("invalid", `the interface ${id} is not published`, {
        where: { file: folder },
        hint: `handler interface publish ${id}`,
      })
    ),
  ];
}

function changed(
  { id, hash, folder }: Pick<Interface, "id" | "hash" | "folder">,
  published: string,
): HandlerError {
  const [name, version] = id.split("/v");
  return new HandlerError(
    "conflict",
    `the published interface ${id} is frozen with the hash ${published}, its files now have ${hash}`,
    {
      where: { file: folder },
      hint: `undo the change, or make it a new version: ${name}/v${Number(version) + 1}`,
    },
  );
}

/**
 * Freezes an interface version: writes its hash into `published.json` of the folder that it lies in. Publishing the very
 * same again changes nothing.
 * @throws {HandlerError} `conflict` where it is published with another hash
 */
export async function publish(
  folder: string,
  one: Pick<Interface, "id" | "hash" | "folder">,
): Promise<Published> {
  const before = await readPublished(folder);
  if (before[one.id] === one.hash) return before;
  if (Object.hasOwn(before, one.id)) throw changed(one, before[one.id]!);
  const after = Object.fromEntries(
    Object.entries({ ...before, [one.id]: one.hash }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  await writeAtomic(`${folder}/published.json`, JSON.stringify(after, null, 2) + "\n", 0o644);
  return after;
}
