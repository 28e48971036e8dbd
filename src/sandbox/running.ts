import { type Clock, concatBytes, deferred, utf8Text } from "../base/mod.ts";
import { cpuMsOf } from "../platform/mod.ts";
import type { DriverName, Sandbox, SandboxExit } from "./spec.ts";

/** The last bytes that a program printed. */
export class LogTail {
  static readonly LIMIT = 64 * 1024;
  #parts: Uint8Array[] = [];
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
    this.#size += bytes.length;
    while (this.#size - (this.#parts[0]?.length ?? 0) >= LogTail.LIMIT) {
      this.#size -= this.#parts.shift()!.length;
    }
  }

  text(): string {
    const whole = concatBytes(this.#parts);
    return utf8Text(whole.subarray(Math.max(0, whole.length - LogTail.LIMIT)));
  }
}

/** What a driver knows of a thing it started or took over. */
export interface RunningParts {
  readonly name: string;
  readonly driver: DriverName;
  readonly handle: string;
  /** Resolves with the exit code once every process of it is gone. */
  readonly ended: Promise<number>;
  /** The process of this machine that all others of it are below; undefined where there is none. */
  root(): Promise<number | undefined>;
  /** Asks the program to end. */
  ask(): Promise<void>;
  /** Ends all of its processes at once. */
  kill(): Promise<void>;
  /** Whether a limit ended it, looked at after it ended. */
  outOfMemory(code: number): Promise<boolean>;
  /** Frees what it held: sockets, folders, groups. Called once. */
  release(): Promise<void>;
  log(): string;
  readonly clock: Clock;
  readonly timeoutMs?: number | undefined;
}

/** Builds the running sandbox over what a driver knows: time limit, stopping, the reason of the end. */
export function runningSandbox(parts: RunningParts): Sandbox {
  const { clock } = parts;
  const exited = deferred<SandboxExit>();
  let reason: SandboxExit["reason"] | undefined;
  let killing: Promise<void> | undefined;
  // one at a time: whoever waits for the end waits for this too
  const kill = () => killing ??= parts.kill().finally(() => killing = undefined);
  const stop = async (graceMs: number, why: SandboxExit["reason"]) => {
    reason ??= why;
    if (graceMs <= 0) {
      await kill();
      return await exited.promise;
    }
    const cancel = clock.after(graceMs, () => void kill().catch(() => {}));
    await parts.ask();
    return await exited.promise.finally(cancel);
  };
  const forgetTime = parts.timeoutMs === undefined
    ? () => {}
    : clock.after(parts.timeoutMs, () => void stop(0, "time"));
  void (async () => {
    const code = await parts.ended.catch(() => -1);
    forgetTime();
    const memory = reason === undefined && await parts.outOfMemory(code).catch(() => false);
    await killing?.catch(() => {}); // it may still be at work on what is gone
    await parts.release().catch(() => {});
    exited.resolve({ code, reason: memory ? "memory" : reason ?? (code === -1 ? "lost" : "exited") });
  })();
  return {
    name: parts.name,
    driver: parts.driver,
    handle: parts.handle,
    exited: exited.promise,
    async cpuMs() {
      const root = await parts.root();
      return root === undefined ? undefined : await cpuMsOf(root);
    },
    stop: (graceMs) => stop(graceMs, "stopped"),
    log: parts.log,
  };
}

/** Whether a program's last words say that V8 had no memory left. */
export function saysOutOfMemory(code: number, log: string): boolean {
  return code >= 128 && /JavaScript (heap )?out of memory|Fatal process out of memory/.test(log);
}
