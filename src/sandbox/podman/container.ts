import { delay, isObject, newId, utf8 } from "../../base/mod.ts";
import { statIfThere } from "../../platform/mod.ts";
import type { PodmanCli } from "./cli.ts";

/** There where control groups are of version 2. */
const UNIFIED = "/sys/fs/cgroup/cgroup.controllers";

/** Calls about one container. */
export class Container {
  readonly name: string;
  readonly #cli: PodmanCli;

  constructor(name: string, cli: PodmanCli) {
    this.name = name;
    this.#cli = cli;
  }

  async ask(): Promise<void> {
    await this.#cli.call(["kill", "--signal", "TERM", this.name]);
  }

  /** Ends and removes it with everything in it; one that is not there is fine. */
  async remove(): Promise<void> {
    await this.#cli.call(["rm", "--force", "--ignore", "--time", "0", this.name]);
  }

  /** The process of the host that is the first inside; undefined while there is none. */
  async initPid(): Promise<number | undefined> {
    const pid = Number(await this.#inspect("{{.State.Pid}}"));
    return pid > 0 ? pid : undefined;
  }

  /**
   * Whether the kernel ended it for want of memory. Under version 1 of control groups the engine is not told, and a
   * SIGKILL that nobody here sent is taken for that.
   */
  async outOfMemory(): Promise<boolean> {
    return await this.#inspect("{{.State.OOMKilled}}") === "true" || !await statIfThere(UNIFIED);
  }

  async isRunning(): Promise<boolean> {
    return await this.#inspect("{{.State.Running}}") === "true";
  }

  /** Waits for its end and gives the exit code; -1 where the container is gone. */
  async wait(): Promise<number> {
    const { code, stdout } = await this.#cli.call(["wait", this.name], { timeoutMs: 2 ** 31 - 1 });
    return code === 0 ? Number(stdout.trim()) : -1;
  }

  /** Its exit code and when it ended, as the engine wrote it down; undefined where it has not ended or is gone. */
  async pastExit(): Promise<{ readonly code: number; readonly at: number } | undefined> {
    const state: unknown = JSON.parse(await this.#inspect("{{json .State}}") || "null");
    if (!isObject(state) || state.Running !== false || typeof state.ExitCode !== "number") return undefined;
    const at = Date.parse(String(state.FinishedAt));
    // a machine that went down left containers that are over and never ended
    return at > 0 ? { code: state.ExitCode, at } : undefined;
  }

  async label(name: string): Promise<string> {
    return await this.#inspect(`{{index .Config.Labels ${JSON.stringify(name)}}}`);
  }

  /** Waits until the container is there, or what was to make it has ended. */
  async whenCreated(ended: Promise<unknown>): Promise<void> {
    let over = false;
    void ended.then(() => over = true);
    while (!over && await this.initPid() === undefined) await delay(100);
  }

  async #inspect(format: string): Promise<string> {
    const { code, stdout } = await this.#cli.call(["container", "inspect", "--format", format, this.name]);
    return code === 0 ? stdout.trim() : "";
  }
}

/** Secrets in podman's store: their names there by variable. */
export interface StoredSecrets {
  readonly names: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Puts secrets into podman's own store for the moment of a start, for programs that no boot of ours stands before. */
export async function storeSecrets(
  cli: PodmanCli,
  container: string,
  secrets: Readonly<Record<string, string>>,
): Promise<StoredSecrets> {
  const names: Record<string, string> = {};
  const remove = async () => {
    const all = Object.values(names);
    if (all.length > 0) await cli.call(["secret", "rm", ...all]);
  };
  try {
    for (const [variable, value] of Object.entries(secrets)) {
      const name = `${container}-${newId()}`;
      await cli.must(["secret", "create", name, "-"], { stdin: utf8(value) });
      names[variable] = name;
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { names, remove };
}

/** The containers of one home, whatever their state, with the sandbox each was. */
export async function listContainers(
  cli: PodmanCli,
  label: string,
  value: string,
  nameLabel: string,
): Promise<readonly { readonly container: string; readonly name: string }[]> {
  const format = `{{.Names}}\t{{index .Labels ${JSON.stringify(nameLabel)}}}`;
  const { code, stdout } = await cli.call([
    "ps",
    "--all",
    "--filter",
    `label=${label}=${value}`,
    "--format",
    format,
  ]);
  if (code !== 0) return [];
  return stdout.split("\n").filter(Boolean).map((line) => {
    const [container = "", name = ""] = line.split("\t");
    return { container, name };
  });
}

/** Removes secrets that a daemon left in podman's store when it was killed in the moment of a start. */
export async function removeLeftSecrets(
  cli: PodmanCli,
  prefix: string,
  starting: ReadonlySet<string>,
): Promise<void> {
  const { stdout } = await cli.call(["secret", "ls", "--format", "{{.Name}}"]);
  const left = stdout.split("\n").filter((name) =>
    name.startsWith(prefix) && ![...starting].some((container) => name.startsWith(container))
  );
  if (left.length > 0) await cli.call(["secret", "rm", ...left]);
}
