import { basename, dirname } from "node:path";
import { HandlerError, NAME_PATTERN, NAME_RULE, newId } from "../base/mod.ts";
import {
  copyTreeGuarded,
  ensureFolder,
  isMissing,
  listFolder,
  readText,
  removeQuietly,
  rename,
  statIfThere,
  walkFiles,
  writePlain,
} from "../platform/mod.ts";
import { setKey } from "../schema/mod.ts";
import { readManifest } from "./manifest.ts";

/** A new app. */
export interface NewApp {
  /** The template's folder: source, the app kit in `server/vendor/`, the built page in `ui/dist/`. */
  readonly template: string;
  readonly name: string;
  /** Where it will lie; must not be there, or be empty. */
  readonly folder: string;
}

/** Of a checkout's template, what its developer has made there. */
const LEFT_OUT = ["node_modules", ".dev"];
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Copies the template of mini apps under a name of its own, whole or not at all. What comes can be deployed as it is:
 * its page is built.
 *
 * @returns the files, as paths below the folder
 * @throws {HandlerError} `usage` for a name that no app can have, `conflict` where something lies in the folder
 */
export async function newApp({ template, name, folder }: NewApp): Promise<readonly string[]> {
  if (!NAME_PATTERN.test(name)) {
    throw new HandlerError("usage", `an app's name must be ${NAME_RULE}, found ${JSON.stringify(name)}`);
  }
  await mustBeFree(folder);
  await ensureFolder(dirname(folder), 0o755);
  const fresh = `${dirname(folder)}/.${basename(folder)}.${newId()}.new`;
  try {
    await copyTreeGuarded(template, fresh, { limitBytes: MOST_BYTES, links: "refuse", leaveOut: LEFT_OUT });
    await fillIn(fresh, name);
    await readManifest(fresh);
    await rename(fresh, folder);
  } finally {
    await removeQuietly(fresh);
  }
  return (await walkFiles(folder)).map(({ path }) => path);
}

async function mustBeFree(folder: string): Promise<void> {
  const there = await statIfThere(folder);
  if (!there || there.isDirectory && (await listFolder(folder)).length === 0) return;
  throw new HandlerError("conflict", `a new app needs a folder of its own, and something lies in ${folder}`, {
    hint: "name another folder",
  });
}

/** The name in the manifest; the page's title, in its source and as it is built. */
async function fillIn(folder: string, name: string): Promise<void> {
  const manifest = `${folder}/app.toml`;
  await writePlain(manifest, setKey(await readText(manifest), ["name"], name));
  for (const page of [`${folder}/ui/index.html`, `${folder}/ui/dist/index.html`]) {
    const title = `<title>${titleOf(name)}</title>`;
    await writePlain(page, (await textOf(page)).replace(/<title>[^<]*<\/title>/, title));
  }
}

async function textOf(page: string): Promise<string> {
  try {
    return await readText(page);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new HandlerError("not_found", "the template's page is not built", {
      hint: "run `deno task prepare` in the checkout",
    });
  }
}

/** `shopping-list` as a heading: `Shopping list`. */
function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
