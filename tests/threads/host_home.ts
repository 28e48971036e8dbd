import { join } from "node:path";
import { systemClock } from "../../src/base/mod.ts";
import { makeLogger } from "../../src/base/mod.ts";
import type { DriverName } from "../../src/sandbox/mod.ts";
import { createThreadHosts, SPIN_CPU_MS, type ThreadHostsPorts } from "../../src/threads/hosts/mod.ts";
import type { StateAnswer, StateCall, ThreadHost, ThreadHosts } from "../../src/threads/ports.ts";
import type { Invocation, ThreadSnapshot } from "../../src/wire/mod.ts";
import { type Home, makeHome } from "../sandbox/support.ts";

/** Where `deno task prepare` puts the guest programs. */
export const GUEST = join(new URL("../../", import.meta.url).pathname, "build/guest");

/** A project's thread hosts in real sandboxes. */
export interface HostHome extends AsyncDisposable {
  readonly home: Home;
  readonly hosts: ThreadHosts;
  /** The project's folder. */
  readonly project: string;
  readonly lines: string[];
  /** Sandboxes that were started. */
  started(): number;
  /** Writes files below `agents/`. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  log(): Promise<string>;
}

/** Makes one for the project `desk` with these definitions. */
export async function hostHome(
  driver: DriverName,
  files: Readonly<Record<string, string>>,
  ports: Partial<ThreadHostsPorts> = {},
): Promise<HostHome> {
  const home = await makeHome({ guestFolder: GUEST });
  const project = join(home.folder, "desk");
  const write = async (written: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(written)) {
      const file = join(project, "agents", path);
      await Deno.mkdir(join(file, ".."), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
  };
  await write(files);
  const lines: string[] = [];
  let started = 0;
  const hosts = createThreadHosts({
    clock: systemClock,
    log: makeLogger((_, message) => lines.push(message)),
    runtimeFolder: join(home.folder, "run/t"),
    stateFolder: join(home.folder, "state/threads"),
    startSandbox: (spec) => {
      started++;
      return home.sandboxes.driver(driver).start(spec);
    },
    projectFolder: (name) => name === "desk" ? project : undefined,
    idleMs: () => 60_000,
    spinCpuMs: SPIN_CPU_MS,
    ...ports,
  });
  return {
    home,
    hosts,
    project,
    lines,
    write,
    started: () => started,
    log: () => Deno.readTextFile(join(home.folder, "state/threads/log/desk.log")),
    async [Symbol.asyncDispose]() {
      await hosts.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** A thread as a host is told of it. */
export const THREAD: ThreadSnapshot = {
  threadId: "t1",
  agentId: "desk",
  userId: null,
  createdAt: 1,
  terminated: null,
  arguments: {},
  children: [],
};

/** A message for a handler. */
export function handle(name: string, content = "hello"): Invocation {
  const message = { id: "m1", role: "user", content, created_at: 2, status: null } as const;
  return { kind: "handler", name, message };
}

/** Runs something and waits for its end; calls are answered with nothing unless told. */
export function run(
  host: ThreadHost,
  what: Invocation,
  answer: (call: StateCall) => Promise<StateAnswer> | StateAnswer = () => ({}),
): ReturnType<ThreadHost["run"]> {
  const execution = {
    flowId: "f",
    currentSide: "a",
    stepCount: 0,
    sideAStepCount: 0,
    sideBStepCount: 0,
    promptPath: [],
  } as const;
  return host.run(what, THREAD, execution, answer);
}

/** The source of a handler with this body. */
export function handler(body: string): string {
  return `import { defineHandler } from "@standardagents/spec";
export default defineHandler({ execute: async (state, message) => { ${body} } });
`;
}
