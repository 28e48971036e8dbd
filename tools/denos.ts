/**
 * The two Denos that Handler's code runs on: found on this machine, else fetched from npm or PyPI into the user's cache.
 *
 *     deno run -A tools/denos.ts            prints where each is
 *     deno run -A tools/denos.ts oldest     prints the path of the oldest alone
 * @module
 */
import { DENO_VERSION, errorText, HandlerError } from "../src/base/mod.ts";
import {
  copyFile,
  ensureFolder,
  env,
  findProgram,
  homeFolder,
  ownProgram,
  removeQuietly,
  rename,
  run,
  setMode,
  temporaryFolder,
  walkFiles,
} from "../src/platform/mod.ts";

/** The oldest Deno that the code runs on; `deno compile` builds on it too. */
export const OLDEST_DENO = "2.6.10";

/** Every version that the checks use. */
export const PINNED_DENOS: readonly string[] = [DENO_VERSION, OLDEST_DENO];

/** What a Deno is told: to trust the machine's own authorities too, where a company signs; and to be brief. */
export function denoEnv(): Record<string, string> {
  const authorities = env("DENO_TLS_CA_STORE") ?? "mozilla,system";
  return { DENO_TLS_CA_STORE: authorities, NO_COLOR: "1", RUST_BACKTRACE: "0" };
}

/** The path of the Deno of this version; fetched where the machine has none. */
export async function denoOf(version: string): Promise<string> {
  return await foundDeno(version) ?? await fetchDeno(version);
}

/** The variable that names the Deno of a version: `DENO_2_6` for 2.6.10. */
export function variableFor(version: string): string {
  return `DENO_${version.split(".").slice(0, 2).join("_")}`;
}

async function foundDeno(version: string): Promise<string | undefined> {
  if (Deno.version.deno === version) return ownProgram();
  for (const candidate of [env(variableFor(version)), cachedPath(version), await findProgram("deno")]) {
    if (candidate && await versionOf(candidate) === version) return candidate;
  }
  return undefined;
}

/** What a Deno says that it is; undefined where there is none at that path. */
export async function versionOf(path: string): Promise<string | undefined> {
  if (!await findProgram(path)) return undefined;
  try {
    const { stdout } = await run([path, "--version"], { inheritEnv: true, timeoutMs: 20_000 });
    return /^deno (\S+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

function cachedPath(version: string): string {
  return `${env("XDG_CACHE_HOME") ?? homeFolder() + "/.cache"}/handler-tools/deno-${version}/deno`;
}

/** The ways to a Deno that need nothing but a package registry; each leaves the program below `folder`. */
const SOURCES: readonly { readonly name: string; argv(version: string, folder: string): string[][] }[] = [
  {
    name: "npm",
    argv: (version, folder) => [
      ["npm", "install", "--silent", "--no-save", "--prefix", folder, `deno@${version}`],
    ],
  },
  {
    name: "PyPI",
    argv: (version, folder) => [
      ["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, `deno==${version}`],
      ["sh", "-c", `cd "$0" && python3 -m zipfile -e deno-*.whl wheel`, folder],
    ],
  },
];

async function fetchDeno(version: string): Promise<string> {
  const failures: string[] = [];
  for (const source of SOURCES) {
    const folder = await temporaryFolder();
    try {
      return await fetchFrom(source.argv(version, folder), folder, version);
    } catch (error) {
      failures.push(`${source.name}: ${errorText(error)}`);
    } finally {
      await removeQuietly(folder);
    }
  }
  throw new HandlerError("unavailable", `Deno ${version} is not here: ${failures.join("; ")}`, {
    hint: `name one with ${variableFor(version)}=/path/to/deno`,
  });
}

async function fetchFrom(steps: readonly string[][], folder: string, version: string): Promise<string> {
  for (const argv of steps) {
    const { code, stderr } = await run(argv, { inheritEnv: true, timeoutMs: 300_000 });
    if (code !== 0) throw new Error(stderr.trim().split("\n").at(-1) || `${argv[0]} ended with ${code}`);
  }
  for (const { path, kind } of await walkFiles(folder)) {
    if (kind !== "file" || !/(^|\/)deno$/.test(path)) continue;
    await setMode(`${folder}/${path}`, 0o755);
    if (await versionOf(`${folder}/${path}`) === version) return await keep(`${folder}/${path}`, version);
  }
  throw new Error("the package holds no program for this machine");
}

async function keep(path: string, version: string): Promise<string> {
  const kept = cachedPath(version);
  await ensureFolder(kept.replace(/\/deno$/, ""), 0o755);
  await copyFile(path, `${kept}.new`);
  await setMode(`${kept}.new`, 0o755);
  await rename(`${kept}.new`, kept);
  return kept;
}

if (import.meta.main) {
  if (Deno.args[0] === "oldest") console.log(await denoOf(OLDEST_DENO));
  else for (const version of PINNED_DENOS) console.log(`${version}  ${await denoOf(version)}`);
}
