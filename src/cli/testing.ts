import { TestClock, utf8 } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { MemoryOperations } from "../../tests/fakes/operations.ts";
import { runIn } from "./run.ts";

/** What a command line printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How the terminal of a test is. */
export interface TestTerminal {
  readonly stdin?: string | Uint8Array;
  readonly answer?: string;
  readonly interactive?: boolean;
  readonly columns?: number;
  readonly colours?: boolean;
}

/** A command line before a daemon that is all in memory. */
export class TestCli {
  readonly operations = new MemoryOperations();
  readonly clock = new TestClock(1_700_000_300_000);
  cwd = "/work";
  data = "/home/x/.local/share/handler-ai";
  readonly asked: string[] = [];

  /** Runs `handler` with words as a shell would split them: at spaces. */
  run(line: string, terminal: TestTerminal = {}): Promise<Ran> {
    return this.runWords(line === "" ? [] : line.split(" "), terminal);
  }

  /** Runs `handler` with these words. */
  async runWords(words: readonly string[], given: TestTerminal = {}): Promise<Ran> {
    let [out, err] = ["", ""];
    const stdin = typeof given.stdin === "string" ? utf8(given.stdin) : new Uint8Array(given.stdin ?? []);
    const code = await runIn(words, {
      terminal: {
        out: (text) => void (out += text),
        err: (text) => void (err += text),
        interactive: given.interactive ?? false,
        colours: given.colours ?? false,
        columns: given.columns,
        readStdin: () => Promise.resolve(stdin),
        ask: (question) => {
          this.asked.push(question);
          return given.answer;
        },
        async *input() {
          if (stdin.length > 0) yield await Promise.resolve(stdin);
        },
      },
      clock: this.clock,
      cwd: () => this.cwd,
      folders: () => ({
        config: "/home/x/.config",
        data: this.data,
        state: "/s",
        runtime: "/run/handler-ai",
      }),
      connect: () => Object.assign(this.operations, { [Symbol.dispose]() {} }) as Client,
    });
    return { code, out, err };
  }

  /** Adds a project, a binding and two agents, as most commands need them. */
  async populate(): Promise<void> {
    await this.operations.projectAdd({ name: "books", path: "/books", requires: ["ocr/v1"], privacy: "any" });
    const rest = { description: "", settings: {}, secrets: {} };
    await this.operations.bindingAdd({ name: "ocr-local", connector: "ocr-tesseract", ...rest });
    const agent = { project: "books", services: {} };
    await this.operations.agentAdd({ name: "clerk", harness: "command", command: ["sh"], ...agent });
    await this.operations.agentAdd({ name: "desk", harness: "external", command: [], ...agent });
  }
}
