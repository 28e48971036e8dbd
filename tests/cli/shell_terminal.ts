import { delay } from "../../src/base/mod.ts";

/** A shell on a terminal of its own, at which keys are typed. */
export class ShellTerminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #read: Promise<void>;
  #shown = "";
  #looked = 0;

  /** @param command what runs; it is given a terminal by util-linux's `script` */
  constructor(command: string, env: Readonly<Record<string, string>>, cwd: string) {
    this.#child = new Deno.Command("script", {
      args: ["--quiet", "--return", "--flush", "--command", command, "/dev/null"],
      env: { ...env, TERM: "xterm", COLUMNS: "200", LINES: "50", SHELL: "/bin/sh" },
      clearEnv: true,
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#keys = this.#child.stdin.getWriter();
    this.#read = this.#follow();
  }

  async #follow(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) this.#shown += text;
  }

  async type(keys: string): Promise<void> {
    this.#looked = this.#shown.length;
    await this.#keys.write(new TextEncoder().encode(keys));
  }

  /** What was shown since the last keys, without the terminal's own control sequences, once it fits. */
  async shows(pattern: RegExp): Promise<string> {
    for (let tries = 0; tries < 400; tries++) {
      const text = plain(this.#shown.slice(this.#looked));
      if (pattern.test(text)) return text;
      await delay(50);
    }
    throw new Error(`${pattern} is not shown: ${JSON.stringify(plain(this.#shown.slice(this.#looked)))}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#keys.close().catch(() => {});
    await this.#child.status;
    await this.#read.catch(() => {});
  }
}

function plain(text: string): string {
  return text.replaceAll(
    // deno-lint-ignore no-control-regex -- these are what is looked for
    /\x1b(?:\[[0-9;?>]*[A-Za-z]|[\]P][^\x07\x1b]*(?:\x07|\x1b\\)|[=>()][0-9A-Z]?)|\r|\x07/g,
    "",
  );
}
