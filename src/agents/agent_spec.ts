import type { AgentConfig } from "../config/mod.ts";
import type { DriverName, EgressRule, Mount, Program, SandboxSpec } from "../sandbox/mod.ts";
import { denoProgramOf } from "./deno_program.ts";
import type { Rendered } from "./harness.ts";
import { AGENT_INSIDE } from "./inside.ts";
import type { SessionPlaces } from "./places.ts";
import type { AgentService } from "./ports.ts";

/** What an agent's sandbox gets where its configuration does not say otherwise (contract A). */
const LIMITS = { memoryBytes: 512 * 1024 * 1024, pids: 256 } as const;

/** What the spec of an agent's sandbox is made from. */
export interface AgentSpecInput {
  readonly driver: DriverName;
  readonly session: string;
  readonly agent: AgentConfig;
  readonly rendered: Rendered;
  readonly services: readonly AgentService[];
  readonly egress: readonly EgressRule[];
  readonly places: SessionPlaces;
  /** The project's path as configured, which is also the path inside, and the real folder behind it. */
  readonly work: { readonly path: string; readonly real: string };
  /** The host folder with Handler's commands. */
  readonly bin: string;
  readonly interactive: boolean;
}

/** The sandbox of an agent's session: its work folder at the same path as outside, its services, and no secret. */
export function agentSpec(input: AgentSpecInput): SandboxSpec {
  const { session, agent, rendered, egress, places, work, interactive } = input;
  return {
    name: places.sandbox,
    kind: "agent",
    ...(agent.image === undefined ? {} : { image: agent.image }),
    program: programOf(input),
    env: {
      ...(input.driver === "deno" ? { PATH: AGENT_INSIDE.bin } : {}),
      ...agentEnv(agent, session, rendered.env),
    },
    secretEnv: {},
    mounts: mounts(input),
    cwd: work.path,
    egress,
    ...LIMITS,
    outlivesDaemon: true,
    logFile: places.output,
    ...(interactive ? { stdinFifo: places.stdin } : {}),
    labels: { "handler.session": session, "handler.agent": agent.name },
  };
}

/** What is set for an agent, besides what every sandbox has; `harness` is what its harness sets. */
export function agentEnv(
  agent: AgentConfig,
  session: string,
  harness: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    HOME: AGENT_INSIDE.home,
    HANDLER_SERVICES: AGENT_INSIDE.services,
    HANDLER_SKILLS: AGENT_INSIDE.skills,
    HANDLER_SESSION: session,
    HANDLER_AGENT: agent.name,
    ...harness,
    ...agent.env,
  };
}

/** The `deno` driver confines Deno programs alone, and refuses any other in its own words. */
function programOf({ driver, rendered, work, services }: AgentSpecInput): Program {
  const plain = { kind: "argv", argv: rendered.argv } as const;
  return driver === "deno" ? denoProgramOf(rendered.argv, work.path, services) ?? plain : plain;
}

/** The home comes before the rest, so that a work folder may lie anywhere else. */
function mounts({ places, work, bin }: AgentSpecInput): readonly Mount[] {
  return [
    { source: places.home, target: AGENT_INSIDE.home, mode: "rw" },
    { source: places.services, target: AGENT_INSIDE.services, mode: "ro" },
    { source: places.skills, target: AGENT_INSIDE.skills, mode: "ro" },
    { source: bin, target: AGENT_INSIDE.bin, mode: "ro" },
    { source: work.real, target: work.path, mode: "rw" },
  ];
}
