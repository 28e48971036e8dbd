import { asHandlerError, ProblemList, silentLogger, systemClock } from "../base/mod.ts";
import { loadConfiguration } from "../config/mod.ts";
import {
  env,
  findDeno,
  type Folders,
  isCompiled,
  removeQuietly,
  shippedFolder,
  temporaryFolder,
} from "../platform/mod.ts";
import { createSandboxes, type SandboxConfig } from "../sandbox/mod.ts";
import { failed, type Named, ok } from "./check.ts";
import { checkMachine } from "./machine.ts";

/** Where browsers find the desk unless HANDLER_PORT says another. */
const USUAL_PORT = 7430;

/** What the machine is like where no daemon says it: the same checks, and the configuration's files. */
export async function checkAlone(folders: Folders, limitMs: number): Promise<readonly Named[]> {
  const { config, findings } = await configuration(folders.config);
  const passing = await temporaryFolder("hd-");
  try {
    const deno = await findDeno();
    const sandboxes = createSandboxes({
      log: silentLogger,
      clock: systemClock,
      runtimeFolder: passing,
      stateFolder: passing,
      instanceId: "doctor",
      config,
      deno,
      guestFolder: passing, // nothing of Handler's own runs in what is tried
      onConnect: () => () => {},
      onEgress: () => {},
    });
    const checks = await checkMachine({
      folders,
      port: portOf(env("HANDLER_PORT")),
      daemonPid: undefined,
      deno,
      builds: isCompiled ? undefined : `${shippedFolder("build")}/connectors`,
      asked: config.sandbox,
      image: config.image,
      driver: (name) => sandboxes.driver(name),
      limitMs,
    });
    return [...findings, ...checks];
  } finally {
    await removeQuietly(passing);
  }
}

function portOf(said: string | undefined): number {
  const port = Number(said ?? USUAL_PORT);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : USUAL_PORT;
}

const PLAIN: SandboxConfig = { sandbox: "auto", image: undefined, egress: { caFile: undefined, dial: {} } };

async function configuration(
  folder: string,
): Promise<{ readonly config: SandboxConfig; readonly findings: readonly Named[] }> {
  const name = "configuration";
  try {
    const { main } = await loadConfiguration(folder);
    return { config: main, findings: [{ name, ...ok("no problems") }] };
  } catch (error) {
    const problems = error instanceof ProblemList ? error.problems : [asHandlerError(error)];
    const findings = problems.map((one) => ({ name, ...failed(one.toString(), one.hint ?? null) }));
    return { config: PLAIN, findings };
  }
}
