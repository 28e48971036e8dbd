import { dirname } from "node:path";
import { DENO_VERSION, HandlerError } from "../../src/base/mod.ts";
import { fromFileUrl, ownProgram, run } from "../../src/platform/mod.ts";
import { denoOf } from "../denos.ts";
import type { AppUnit, DeskUnit, ProgramsUnit, Unit } from "./units.ts";

const RESOLVER = fromFileUrl(new URL("./resolve.ts", import.meta.url));

/** Of what Deno says, as much as a person reads. */
const MOST_LINES = 12;

/** How Deno says that a registry cannot be reached. */
const NO_NETWORK =
  /error sending request|client error \(Connect\)|dns error|tls handshake|failed to fetch|timed out/i;
const BAD_INTEGRITY = /integrity check|checksum/i;

/**
 * Fetches a unit's packages into Deno's own cache; what is downloaded is checked against the lock file. Bundling would
 * fetch what is imported too, but does not say what went wrong.
 */
export async function fetchPackages(unit: ProgramsUnit): Promise<void> {
  const entries = Object.values(unit.programs).map((entry) => `${unit.folder}/${entry}`);
  const flags = ["--quiet", "--frozen", "--config", unit.config];
  await deno(unit, ["cache", ...flags, ...entries], "fetching its packages");
  // files that are only read at run time may belong to packages that nothing imports
  if (Object.keys(unit.assets).length > 0) await deno(unit, ["install", ...flags], "fetching its packages");
}

/** Bundles one program and all it imports into one file. */
export async function bundle(unit: ProgramsUnit, entry: string, output: string): Promise<void> {
  const lock = unit.hasPackages ? ["--frozen"] : ["--no-lock"];
  const args = [
    "bundle",
    "--quiet",
    "--config",
    unit.config,
    ...lock,
    "--output",
    output,
    `${unit.folder}/${entry}`,
  ];
  await deno(unit, args, `bundling ${entry}`);
}

/** Where files of packages lie in Deno's cache; only the config and its lock tell. */
export async function resolvePackageFiles(
  unit: ProgramsUnit,
  specifiers: readonly string[],
): Promise<readonly string[]> {
  const flags = ["run", "--quiet", "--no-prompt", "--cached-only", "--frozen", "--config", unit.config];
  const printed = await deno(unit, [...flags, RESOLVER, ...specifiers], "finding files of its packages");
  const found: readonly string[] = JSON.parse(printed);
  const lost = specifiers.find((_, index) => !found[index]?.startsWith("file:"));
  if (lost === undefined) return found;
  throw new HandlerError("invalid", `${unit.name}: no package of its lock file has ${lost}`);
}

/** Builds the page of an app or of the desk as its author would. Its tools need the Deno that Handler is made for, an older one will not do. */
export async function buildPage(unit: AppUnit | DeskUnit): Promise<void> {
  await deno(unit, ["task", "--quiet", "build"], "building its page", await denoOf(DENO_VERSION));
}

async function deno(
  unit: Unit,
  args: readonly string[],
  tried: string,
  program = ownProgram(),
): Promise<string> {
  const { code, stdout, stderr } = await run([program, ...args], {
    inheritEnv: true,
    env: { NO_COLOR: "1" },
    cwd: unit.kind === "programs" ? dirname(unit.config) : unit.folder,
  });
  if (code === 0) return stdout;
  const [said = ""] = (stderr.trim() || stdout.trim()).split("\nStack backtrace:");
  throw failure(unit, tried, said.trim().split("\n").slice(0, MOST_LINES).join("\n"));
}

/** What Deno said, as an error that a person can act on. */
export function failure(unit: Pick<Unit, "name">, tried: string, said: string): HandlerError {
  if (BAD_INTEGRITY.test(said)) {
    const hint = "do not use it; if deno.json was changed on purpose, renew deno.lock beside it";
    return new HandlerError(
      "invalid",
      `${unit.name}: a package is not the one that deno.lock names\n${said}`,
      { hint },
    );
  }
  if (NO_NETWORK.test(said)) {
    const message =
      `${unit.name}: ${tried} needs the network once, and the package registry could not be reached`;
    return new HandlerError("unavailable", `${message}\n${said.split("\n")[0]}`, {
      hint: "connect to it and run deno task prepare again",
    });
  }
  return new HandlerError("invalid", `${unit.name}: ${tried} failed\n${said}`);
}
