import { HandlerError, utf8Text } from "../base/mod.ts";

/** How a program of the host is run to its end. */
export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment; nothing is inherited unless `inheritEnv`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly inheritEnv?: boolean;
  readonly stdin?: Uint8Array;
  /** After this many milliseconds the process group is killed and the run fails with `timeout`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What a finished program left. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end and keeps its output. A failing exit code is a result, not an error. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = start(argv, { ...options, stdin: options.stdin ? "piped" : "null" });
  const kill = () => endGroup(child.pid, "SIGKILL");
  options.signal?.addEventListener("abort", kill, { once: true });
  let late = false;
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => {
    late = true;
    kill();
  }, options.timeoutMs);
  try {
    if (options.stdin) await feed(child, options.stdin);
    const { code, stdout, stderr } = await child.output();
    if (late) throw new HandlerError("timeout", `${argv[0]} took more than ${options.timeoutMs} ms`);
    options.signal?.throwIfAborted();
    return { code, stdout: utf8Text(stdout), stderr: utf8Text(stderr) };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", kill);
  }
}

async function feed(child: Deno.ChildProcess, bytes: Uint8Array): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(bytes);
    await writer.close();
  } catch {
    // the program did not read it all
  }
}

/** How a program is started that runs beside the daemon. */
export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly inheritEnv?: boolean;
  readonly stdin?: "piped" | "null" | "inherit";
  readonly stdout?: "piped" | "null" | "inherit";
  readonly stderr?: "piped" | "null" | "inherit";
}

/** Starts a program as the leader of its own process group, so that {@linkcode endGroup} ends its children too. */
export function start(argv: readonly string[], options: StartOptions = {}): Deno.ChildProcess {
  const [program, ...args] = argv;
  if (!program) throw new HandlerError("usage", "a program to run is named by at least one word");
  try {
    return new Deno.Command(program, {
      args,
      cwd: options.cwd,
      env: { ...options.env },
      clearEnv: !options.inheritEnv,
      stdin: options.stdin ?? "null",
      stdout: options.stdout ?? "piped",
      stderr: options.stderr ?? "piped",
      detached: true,
    } as Deno.CommandOptions).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new HandlerError("not_found", `the program ${program} is not on this machine`, { cause: error });
  }
}

/** Sends a signal to a whole process group; one that is gone is fine. */
export function endGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch {
    // it has ended
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied;
  }
}

/** The path of a program on the search path, or undefined. */
export async function findProgram(
  name: string,
  path = Deno.env.get("PATH") ?? "",
): Promise<string | undefined> {
  for (const folder of name.includes("/") ? [""] : path.split(":").filter(Boolean)) {
    const candidate = folder ? `${folder}/${name}` : name;
    const info = await Deno.stat(candidate).catch(() => undefined);
    if (info?.isFile && ((info.mode ?? 0) & 0o111) !== 0) return candidate;
  }
  return undefined;
}
