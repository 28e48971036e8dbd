import { type Logger, utf8 } from "../base/mod.ts";
import {
  ensureFolder,
  isMissing,
  listFolder,
  readBounded,
  removeAll,
  statIfThere,
  writeAtomic,
} from "../platform/mod.ts";
import { fileName, nameOf, secretName } from "./name.ts";
import type { Keyring } from "./keyring.ts";
import type { Found } from "./reference.ts";
import { MAX_SECRET_BYTES, secretValue } from "./value.ts";

/** A secret that Handler keeps itself, without its value. */
export interface StoredSecret {
  readonly name: string;
  readonly place: "file" | "keyring";
  /** Milliseconds since 1970; null where the system does not say. */
  readonly changedAt: number | null;
}

/** What {@linkcode storedSecrets} needs. */
export interface StoredOptions {
  /** `<data>/secrets` */
  readonly folder: string;
  readonly keyring: () => Promise<Keyring | undefined>;
  readonly log: Logger;
}

/** The secrets of `handler secret set`. */
export interface StoredSecrets {
  set(name: string, bytes: Uint8Array): Promise<StoredSecret>;
  list(): Promise<readonly StoredSecret[]>;
  remove(name: string): Promise<boolean>;
  find(name: string): Promise<Found>;
}

const VALUE = ".value";
const IN_KEYRING = ".keyring";

/**
 * Secrets under names: in the desktop's keyring where there is one that works, else each in a file of mode 0600. The
 * folder also says which ones the keyring has, so that listing them never reads a value.
 */
export function storedSecrets({ folder, keyring, log }: StoredOptions): StoredSecrets {
  const path = (name: string, ending: string) => `${folder}/${fileName(name)}${ending}`;
  return {
    async set(given, bytes) {
      const name = secretName(given);
      const value = utf8(secretValue(bytes));
      await ensureFolder(folder);
      const kept = await (await keyring())?.store(name, value) ?? false;
      await writeAtomic(path(name, kept ? IN_KEYRING : VALUE), kept ? "" : value);
      await removeAll(path(name, kept ? VALUE : IN_KEYRING));
      log.log("info", "a secret was stored", { name, place: kept ? "keyring" : "file" });
      return {
        name,
        place: kept ? "keyring" : "file",
        changedAt: await changedAt(path(name, kept ? IN_KEYRING : VALUE)),
      };
    },
    async list() {
      const found = (await listFolder(folder)).map(({ name }) => readEntry(name)).filter((entry) =>
        entry !== undefined
      );
      return await Promise.all(found.map(async (entry) => ({
        ...entry,
        changedAt: await changedAt(path(entry.name, entry.place === "file" ? VALUE : IN_KEYRING)),
      })));
    },
    async remove(given) {
      const name = secretName(given);
      const inFile = await statIfThere(path(name, VALUE)) !== undefined;
      const inKeyring = await statIfThere(path(name, IN_KEYRING)) !== undefined;
      if (inKeyring) await (await keyring())?.clear(name);
      for (const ending of [VALUE, IN_KEYRING]) await removeAll(path(name, ending));
      return inFile || inKeyring;
    },
    find: (given) => find(secretName(given), path, keyring),
  };
}

async function find(
  name: string,
  path: (name: string, ending: string) => string,
  keyring: StoredOptions["keyring"],
): Promise<Found> {
  try {
    return { bytes: (await readBounded(path(name, VALUE), MAX_SECRET_BYTES + 2)).bytes };
  } catch (error) {
    if (!isMissing(error)) return { why: `the stored secret ${name} could not be read` };
  }
  const hint = `store it with: handler secret set ${name}`;
  if (!await statIfThere(path(name, IN_KEYRING))) return { why: `there is no stored secret ${name}`, hint };
  const ring = await keyring();
  if (!ring) {
    return { why: `the stored secret ${name} is in the desktop's keyring, which cannot be reached`, hint };
  }
  const found = await ring.lookup(name);
  return "why" in found ? { why: `the keyring did not give the stored secret ${name}`, hint } : found;
}

function readEntry(file: string): { name: string; place: "file" | "keyring" } | undefined {
  for (const [ending, place] of [[VALUE, "file"], [IN_KEYRING, "keyring"]] as const) {
    if (!file.endsWith(ending)) continue;
    const name = nameOf(file.slice(0, -ending.length));
    return name === undefined ? undefined : { name, place };
  }
  return undefined;
}

async function changedAt(path: string): Promise<number | null> {
  return (await statIfThere(path))?.mtime?.getTime() ?? null;
}
