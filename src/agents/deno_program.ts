import { isAbsolute, join } from "node:path";
import type { DenoProgram } from "../sandbox/mod.ts";
import { GUEST_COMMANDS } from "./guest_bin.ts";
import { AGENT_INSIDE } from "./inside.ts";
import type { AgentService } from "./ports.ts";

/**
 * A command `deno run [flags] entry [words]` as a program that Deno's own permissions can confine, for the driver that
 * has nothing else; undefined for any other command. The agent gets its work folder, its home, its services and
 * Handler's commands; permission flags of its own count for nothing.
 */
export function denoProgramOf(
  argv: readonly string[],
  work: string,
  services: readonly AgentService[],
): DenoProgram | undefined {
  if (argv[0] !== "deno" || argv[1] !== "run") return undefined;
  const words = argv.slice(2);
  const at = words.findIndex((word) => !word.startsWith("-"));
  const entry = words[at];
  if (entry === undefined) return undefined;
  const sockets = services.map(({ name }) => `${AGENT_INSIDE.services}/${name}.sock`);
  const { bin, home, skills } = AGENT_INSIDE;
  return {
    kind: "deno",
    entry: isAbsolute(entry) ? entry : join(work, entry),
    args: words.slice(at + 1),
    permissions: {
      read: [work, home, skills, AGENT_INSIDE.services, bin, "/tmp", ...sockets],
      write: [work, home, "/tmp", ...sockets],
      run: GUEST_COMMANDS.map((command) => `${bin}/${command}`),
      env: true,
      sys: [],
      loopback: false,
    },
  };
}
