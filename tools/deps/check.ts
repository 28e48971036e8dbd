import { isObject } from "../../src/base/mod.ts";
import { readText, readTextIfThere, writeAtomic } from "../../src/platform/mod.ts";
import { connectorsWithPackages, ROOT } from "../repository.ts";
import { cachedLicences } from "./licence.ts";
import { askers, formatList, listedLicences, type Row } from "./list.ts";
import { type Lock, portable, reached, readLock } from "./lock.ts";
import { importedBy, PARTS } from "./parts.ts";
import { forbiddenIn, loosePins } from "./rules.ts";

/** Where the page of every app is built from: the template's; the demo apps have the same. */
const PAGE = "addons/miniapp/template/ui";
const LIST = `${ROOT}/dependencies.txt`;

/** The list as it should be, and whatever breaks a rule. */
interface Findings {
  readonly text: string;
  readonly problems: readonly string[];
}

/** What is wrong with the dependencies: a loose pin, a forbidden import, a list that is not up to date. */
export async function dependencyProblems(): Promise<readonly string[]> {
  const { text, problems } = await findings();
  if (await readTextIfThere(LIST) === text) return problems;
  return [...problems, "dependencies.txt is not up to date: deno run -A tools/deps.ts --write"];
}

/** Writes `dependencies.txt` anew; returns the problems that a list cannot mend. */
export async function writeDependencies(): Promise<readonly string[]> {
  const { text, problems } = await findings();
  await writeAtomic(LIST, text, 0o644);
  return problems;
}

async function findings(): Promise<Findings> {
  const rows: Row[] = [];
  const problems: string[] = [];
  const licences = await licenceReader();
  for (const folder of [".", ...await connectorsWithPackages(), PAGE]) {
    const whole = readLock(await readTextIfThere(`${ROOT}/${folder}/deno.lock`) ?? "{}");
    const lock = folder === PAGE ? portable(whole) : whole;
    problems.push(...loosePins(await importsOf(folder)).map((problem) => `${folder}/deno.json: ${problem}`));
    const parts = folder === "."
      ? await rootParts(lock, problems)
      : [wholeLock(folder === PAGE ? "pages of apps" : folder, lock)];
    for (const { id, name, version } of lock.packages.values()) {
      const inside = parts.filter((part) => part.ids.has(id)).map((part) => part.name);
      rows.push({
        name,
        version,
        licence: await licences(name, version),
        parts: inside.length > 0 ? inside : ["development"],
        askedBy: [...lock.asked.values()].includes(id) ? [] : askers(lock, id),
      });
    }
  }
  return { text: formatList(rows), problems };
}

async function importsOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  if (folder === PAGE) return await pageTools();
  const raw: unknown = JSON.parse(await readText(`${ROOT}/${folder}/deno.json`));
  return isObject(raw) && isObject(raw.imports) ? raw.imports : {};
}

/** As imports; a page's tools read a `package.json`. */
async function pageTools(): Promise<Readonly<Record<string, unknown>>> {
  const raw: unknown = JSON.parse(await readText(`${ROOT}/${PAGE}/package.json`));
  const tools = isObject(raw) && isObject(raw.devDependencies) ? raw.devDependencies : {};
  return Object.fromEntries(
    Object.entries(tools).map(([name, version]) => [name, `npm:${name}@${version}`]),
  );
}

/** The packages that one part carries. */
interface PartPackages {
  readonly name: string;
  readonly ids: ReadonlySet<string>;
}

async function rootParts(lock: Lock, problems: string[]): Promise<readonly PartPackages[]> {
  const parts: PartPackages[] = [];
  for (const part of PARTS) {
    const direct = [...await importedBy(part)];
    problems.push(...forbiddenIn(part.name, direct.map((id) => lock.packages.get(id)?.name ?? id)));
    parts.push({ name: part.name, ids: reached(lock, direct) });
  }
  return parts;
}

function wholeLock(folder: string, lock: Lock): PartPackages {
  return { name: folder, ids: new Set(lock.packages.keys()) };
}

async function licenceReader(): Promise<(name: string, version: string) => Promise<string>> {
  const cached = await cachedLicences();
  const listed = listedLicences(await readTextIfThere(LIST) ?? "");
  return async (name, version) =>
    await cached(name, version) ?? listed.get(`${name} ${version}`) ?? "unknown";
}
