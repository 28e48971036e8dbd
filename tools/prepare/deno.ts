import { dirname } from "node:path";
import { HandlerError } from "../../src/base/mod.ts";
import { ownProgram, run } from "../../src/platform/mod.ts";
import type { Unit } from "./units.ts";

/** Of what Deno says, as much as a person reads. */
const MOST_LINES = 12;

/** How Deno says that a registry cannot be reached. */
const NO_NETWORK =
  /error sending request|client error \(Connect\)|dns error|tls handshake|failed to fetch|timed out/i;
const BAD_INTEGRITY = /integrity check|checksum/i;

/** Fetches a unit's packages into Deno's own cache, each checked against the lock file. */
export async function fetchPackages(unit: Unit): Promise<void> {
  await deno(unit, ["install", "--quiet", "--frozen"], "fetching its packages");
}

/** Bundles one program and all it imports into one file. */
export async function bundle(unit: Unit, entry: string, output: string): Promise<void> {
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
  unit: Unit,
  specifiers: readonly string[],
): Promise<readonly string[]> {
  const program = "console.log(JSON.stringify(JSON.parse(Deno.args[0]).map((s) => import.meta.resolve(s))))";
  const file = `${unit.folder}/resolve-${crypto.randomUUID()}.mjs`;
  await Deno.writeTextFile(file, program);
  try {
    const args = [
      "run",
      "--quiet",
      "--no-prompt",
      "--cached-only",
      "--config",
      unit.config,
      "--frozen",
      file,
    ];
    const found: readonly string[] = JSON.parse(
      await deno(unit, [...args, JSON.stringify(specifiers)], "finding files"),
    );
    const lost = specifiers.find((_, index) => !found[index]?.startsWith("file:"));
    if (lost === undefined) return found;
    throw new HandlerError("invalid", `${unit.name}: no package of its lock file has ${lost}`);
  } finally {
    await Deno.remove(file);
  }
}

async function deno(unit: Unit, args: readonly string[], tried: string): Promise<string> {
  const { code, stdout, stderr } = await run([ownProgram(), ...args], {
    inheritEnv: true,
    env: { NO_COLOR: "1" },
    cwd: dirname(unit.config),
  });
  if (code === 0) return stdout;
  const [said = ""] = (stderr.trim() || stdout.trim()).split("\nStack backtrace:");
  throw failure(unit, tried, said.trim().split("\n").slice(0, MOST_LINES).join("\n"));
}

function failure(unit: Unit, tried: string, said: string): HandlerError {
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
