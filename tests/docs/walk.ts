/**
 * A reader in a fresh home: nothing of Handler set up, the commands of the program on the search path.
 * @module
 */
import { dirname } from "node:path";
import assert from "node:assert/strict";
import { delay, utf8 } from "../../src/base/mod.ts";
import { connectUnix, endGroup, findProgram, run, type RunResult, start } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { notPrinted, type Step } from "./page.ts";

/** What a walk may put in place of the page's words. */
export interface WalkOptions {
  /** Texts of the page to what stands for them here, such as an address. */
  readonly instead: Readonly<Record<string, string>>;
  readonly driver: "bubblewrap" | "deno";
  /** Further lines for `config.toml`. */
  readonly config: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lines that ask on a terminal, where the reader says yes. */
  readonly asks?: RegExp;
  /** Whether the reader sits at a desktop: handlerd then runs on a session bus of its own. */
  readonly desktop?: boolean;
}

/** A reader who follows a page. */
export class Walk implements AsyncDisposable {
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #options: WalkOptions;
  #daemon: Deno.ChildProcess | undefined;
  /** What was printed since the page last said what is. */
  #printed = "";

  private constructor(home: string, options: WalkOptions) {
    this.home = home;
    this.#options = options;
    this.#env = {
      ...kept(["CONTAINERS_CONF", "DENO_TLS_CA_STORE", "SSL_CERT_FILE"]),
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      HOME: home,
      XDG_RUNTIME_DIR: `${home}/run`,
      PATH: `${home}/.local/bin:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      HANDLER_DENO: Deno.execPath(),
      CLONE: ROOT,
      HANDLER_PORT: "0", // several walks go on at once
      ...options.env,
    };
  }

  /** A home with a configuration that names the driver and nothing else. */
  static async begin(options: WalkOptions): Promise<Walk> {
    const walk = new Walk(await Deno.makeTempDir({ prefix: "w-" }), options);
    await Deno.mkdir(`${walk.home}/run`, { mode: 0o700 });
    const head = `apiVersion = "handler.config/v1"\nsandbox = "${options.driver}"`;
    await walk.write(".config/handler-ai/config.toml", `${head}\n${options.config}`);
    return walk;
  }

  async write(path: string, text: string): Promise<void> {
    await Deno.mkdir(dirname(`${this.home}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${this.home}/${path}`, text);
  }

  /** Writes the commands as getting-started does. */
  async installCommands(): Promise<void> {
    await Deno.mkdir(`${this.home}/.local/bin`, { recursive: true });
    for (const name of ["handlerd", "handler", "handler-service"]) {
      const script = `#!/bin/sh\nexec deno run --quiet -A "${ROOT}/main.ts" ${name} "$@"\n`;
      await Deno.writeTextFile(`${this.home}/.local/bin/${name}`, script, { mode: 0o755 });
    }
  }

  /** Starts handlerd and waits until it answers. */
  async startDaemon(): Promise<void> {
    const log = `${this.home}/daemon.out`, bus = this.#options.desktop ? "dbus-run-session -- " : "";
    const argv = ["/bin/sh", "-c", `exec ${bus}handlerd >"${log}" 2>&1`];
    this.#daemon = start(argv, { env: this.#env, cwd: this.home, stdout: "null", stderr: "null" });
    let ended = false;
    void this.#daemon.status.then(() => ended = true);
    for (let tries = 0; tries < 600 && !ended; tries++) {
      try {
        return (await connectUnix(`${this.home}/run/handler-ai/handlerd.sock`)).close();
      } catch {
        await delay(50);
      }
    }
    throw new Error(`handlerd did not answer: ${await Deno.readTextFile(log)}`);
  }

  /** Does what a step says, which must go well. */
  async follow(step: Step, folderOf: (path: string) => string): Promise<void> {
    if (step.kind === "file") return await this.write(folderOf(step.path), step.text);
    if (step.kind === "output") {
      assert.deepEqual(notPrinted(step.lines, this.#printed), [], `printed was:\n${this.#printed}`);
      this.#printed = "";
      return;
    }
    const { code, stdout, stderr } = await this.shell(step.line, step.where);
    this.#printed += `${stdout}${stderr}`;
    assert.equal(code, 0, `${step.line} ended with ${code}\n${stdout}${stderr}`);
  }

  /** Runs a line of shell in the home, or in the clone. */
  async shell(line: string, where: "home" | "clone" = "home"): Promise<RunResult> {
    const here = Object.entries(this.#options.instead)
      .reduce((text, [from, to]) => text.replaceAll(from, to), line);
    const cwd = where === "clone" ? ROOT : this.home;
    const options = { env: this.#env, cwd, timeoutMs: 180_000 };
    if (!this.#options.asks?.test(here)) return await run(["/bin/sh", "-c", here], options);
    const argv = ["script", "--quiet", "--return", "--command", `stty cols 120; ${here}`, "/dev/null"];
    const { stdout, ...rest } = await run(argv, { ...options, stdin: utf8("y\n") });
    return { ...rest, stdout: stdout.replaceAll("\r\n", "\n") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#daemon) {
      endGroup(this.#daemon.pid, "SIGTERM");
      await this.#daemon.status;
    }
    await Deno.remove(this.home, { recursive: true });
  }
}

/** The drivers that a walk can be made with here; podman's sandboxes have tests of their own. */
export async function driversHere(): Promise<readonly WalkOptions["driver"][]> {
  return await findProgram("bwrap") ? ["bubblewrap", "deno"] : ["deno"];
}

function kept(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
