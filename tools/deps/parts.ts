import { isObject } from "../../src/base/mod.ts";
import { ownProgram, run, statIfThere } from "../../src/platform/mod.ts";
import { denoEnv } from "../denos.ts";
import { ROOT } from "../repository.ts";

/** A program, or a piece of one, that carries what it imports. */
export interface Part {
  readonly name: string;
  readonly entries: readonly string[];
}

/** What the root's packages end up in. What no part imports is for the tools and tests alone. */
export const PARTS: readonly Part[] = [
  { name: "daemon", entries: ["src/daemon/mod.ts"] },
  { name: "cli", entries: ["src/cli/mod.ts"] },
  {
    name: "guest",
    entries: [
      "src/guest/commands/service.ts",
      "src/guest/commands/call.ts",
      "src/guest/commands/llm.ts",
      "src/guest/kit/mod.ts",
    ],
  },
  { name: "inside", entries: ["inside.ts"] },
  { name: "mcp-wrap", entries: ["src/guest/mcp_wrap/main.ts"] },
  { name: "demo", entries: ["demo/mod.ts"] },
];

/** The package ids that a part imports itself, as its module graph says, late imports included. */
export async function importedBy(part: Part): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const entry of part.entries) {
    if (!await statIfThere(`${ROOT}/${entry}`)) continue;
    for (const module of await graphOf(entry)) {
      if (isObject(module) && typeof module.npmPackage === "string") ids.add(module.npmPackage);
    }
  }
  return ids;
}

async function graphOf(entry: string): Promise<readonly unknown[]> {
  const argv = [ownProgram(), "info", "--json", entry];
  const { code, stdout, stderr } = await run(argv, { inheritEnv: true, env: denoEnv(), cwd: ROOT });
  if (code !== 0) throw new Error(`deno info ${entry}: ${stderr.trim()}`);
  const graph: unknown = JSON.parse(stdout);
  return isObject(graph) && Array.isArray(graph.modules) ? graph.modules : [];
}
