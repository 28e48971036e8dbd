import process from "node:process";

/** One variable of the daemon's own environment; empty counts as unset. */
export function env(name: string): string | undefined {
  return Deno.env.get(name) || undefined;
}

/** Sets a variable of this program's own environment, for programs that it starts. */
export function setEnv(name: string, value: string): void {
  Deno.env.set(name, value);
}

/** The whole environment, for programs of the person's own (a `pass` command), never for a sandbox. */
export function wholeEnv(): Record<string, string> {
  return Deno.env.toObject();
}

/** The name and arguments that the program was started under. */
export function invocation(): { readonly name: string; readonly args: readonly string[] } {
  const first = process.argv0.split("/").pop() ?? "";
  return { name: first, args: Deno.args };
}

/** Which user runs the program; undefined where the system has no such thing. */
export function userId(): number | undefined {
  return Deno.uid() ?? undefined;
}

/** The folder that the program was started in. */
export function workingFolder(): string {
  return Deno.cwd();
}

/** `linux` or `darwin`, and the processor's name as Deno gives it. */
export const system: { readonly os: string; readonly arch: string; readonly cores: number } = {
  os: Deno.build.os,
  arch: Deno.build.arch,
  cores: navigator.hardwareConcurrency,
};

/** New files and sockets are for their owner alone from here on. */
export function privateUmask(): void {
  Deno.umask(0o077);
}

/** Ends the program. */
export function exit(code: number): never {
  Deno.exit(code);
}

/** The process id of this program. */
export function ownPid(): number {
  return Deno.pid;
}

/** Calls `stop` at the first SIGINT or SIGTERM (and SIGHUP where asked); returns a function that stops listening. */
export function onSignals(signals: readonly Deno.Signal[], stop: (signal: string) => void): () => void {
  const listeners = signals.map((signal) => [signal, () => stop(signal)] as const);
  for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
  };
}

/** Memory of this process in bytes, as the system counts it. */
export function residentBytes(): number {
  return Deno.memoryUsage().rss;
}
