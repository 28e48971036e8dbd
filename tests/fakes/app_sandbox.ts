/**
 * Sandboxes for tests of mini apps without any: a backend is a server of this process that answers on the app's socket.
 * @module
 */
import { deferred } from "../../src/base/mod.ts";
import { inspect } from "../../src/guest/app_data/inspect.ts";
import type { PreparedSandbox, Sandbox, SandboxExit, SandboxSpec } from "../../src/sandbox/mod.ts";

/** What a backend of such a sandbox does. */
export interface FakeBackend {
  /** Answers; health is 200 unless this answers it. */
  readonly answer?: (
    request: Request,
    spec: SandboxSpec,
  ) => Promise<Response | undefined> | Response | undefined;
  /** Called before it listens; what it throws ends the program with 1. */
  readonly boot?: (spec: SandboxSpec) => unknown;
  /** The program's tests: what they print, and how they end. */
  readonly tests?: { readonly code: number; readonly output: string };
}

/** Every start, and what was made of it. */
export class FakeSandboxes {
  readonly specs: SandboxSpec[] = [];
  readonly running = new Set<FakeSandbox>();
  /** What was made ahead and neither used nor taken down. */
  readonly waiting = new Set<SandboxSpec>();
  backend: FakeBackend;

  constructor(backend: FakeBackend = {}) {
    this.backend = backend;
  }

  /** How many backends were started. */
  get starts(): number {
    return this.specs.filter(({ name }) => name.startsWith("app-")).length;
  }

  readonly start = async (spec: SandboxSpec): Promise<Sandbox> => {
    this.specs.push(spec);
    if (spec.name.startsWith("data-")) return await lookIntoData(spec);
    if (spec.name.startsWith("test-")) return this.#runTests(spec);
    const sandbox = new FakeSandbox(spec, this.backend);
    this.running.add(sandbox);
    void sandbox.exited.then(() => this.running.delete(sandbox));
    await sandbox.begin();
    return sandbox;
  };

  readonly prepare = (spec: SandboxSpec): Promise<PreparedSandbox> => {
    this.waiting.add(spec);
    return Promise.resolve({
      start: async () => {
        if (!this.waiting.delete(spec)) throw new Error("it is gone");
        return await this.start(spec);
      },
      discard: () => {
        this.waiting.delete(spec);
        return Promise.resolve();
      },
    });
  };

  #runTests(spec: SandboxSpec): Sandbox {
    const { code, output } = this.backend.tests ?? { code: 0, output: "ok | 1 passed" };
    if (spec.logFile) Deno.writeTextFileSync(spec.logFile, output);
    return ended(spec, code, output);
  }
}

/** One running backend. */
export class FakeSandbox implements Sandbox {
  readonly driver = "deno";
  readonly handle = "none";
  readonly name: string;
  readonly socket: string;
  readonly #exited = deferred<SandboxExit>();
  readonly #spec: SandboxSpec;
  readonly #backend: FakeBackend;
  #server: Deno.HttpServer | undefined;
  readonly #logFile: string | undefined;
  /** Where set, an end waits for it. */
  ending: Promise<void> | undefined;

  constructor(spec: SandboxSpec, backend: FakeBackend) {
    this.name = spec.name;
    this.#spec = spec;
    this.#backend = backend;
    this.#logFile = spec.logFile;
    this.socket = `${sourceOf(spec, "/run/handler")}/app.sock`;
  }

  get exited(): Promise<SandboxExit> {
    return this.#exited.promise;
  }

  async begin(): Promise<void> {
    try {
      await this.#backend.boot?.(this.#spec);
      this.#server = Deno.serve({ path: this.socket, onListen() {} }, (request) => this.#answer(request));
    } catch (error) {
      this.#exited.resolve({ code: 1, reason: "exited" });
      this.print(`${error instanceof Error ? error.message : error}\n`);
    }
  }

  async #answer(request: Request): Promise<Response> {
    const answer = await this.#backend.answer?.(request, this.#spec);
    return answer ??
      new Response(null, { status: new URL(request.url).pathname === "/api/health" ? 200 : 404 });
  }

  print(text: string): void {
    if (this.#logFile) Deno.writeTextFileSync(this.#logFile, text, { append: true });
  }

  /** Ends by itself. */
  async crash(): Promise<void> {
    await this.#close();
    this.#exited.resolve({ code: 1, reason: "exited" });
  }

  cpuMs(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async stop(): Promise<SandboxExit> {
    await this.ending;
    await this.#close();
    this.#exited.resolve({ code: 143, reason: "stopped" });
    return await this.exited;
  }

  log(): string {
    return "";
  }

  async #close(): Promise<void> {
    await this.#server?.shutdown();
  }
}

function sourceOf({ mounts }: SandboxSpec, inside: string): string {
  return mounts.find(({ target }) => target === inside)!.source;
}

/** Does in this process what the guest program does; paths are those of the host. */
async function lookIntoData(spec: SandboxSpec): Promise<Sandbox> {
  if (spec.program.kind !== "deno") throw new Error("the data is looked at by a Deno program");
  const task = JSON.parse(spec.program.args[0]!);
  const earlier = task.earlier && sourceOf(spec, task.earlier);
  const answer = await inspect({ data: sourceOf(spec, task.data), ...(earlier ? { earlier } : {}) })
    .then((found) => ({ found }), (error) => ({ problem: String(error.message) }));
  return ended(spec, 0, JSON.stringify(answer));
}

function ended({ name }: SandboxSpec, code: number, output: string): Sandbox {
  const exit: SandboxExit = { code, reason: "exited" };
  return {
    name,
    driver: "deno",
    handle: "none",
    exited: Promise.resolve(exit),
    cpuMs: () => Promise.resolve(undefined),
    stop: () => Promise.resolve(exit),
    log: () => output,
  };
}
