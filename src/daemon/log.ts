import { type Logger, type LogLevel, makeLogger } from "../base/mod.ts";
import { openAppend, terminal } from "../platform/mod.ts";

const LIMIT_BYTES = 8 * 1024 * 1024;

/** The daemon's log: readable lines on stderr, JSON lines in a file, living secrets taken out of both. */
export interface DaemonLog extends Disposable {
  readonly log: Logger;
  /** From here on every line goes through this redactor. */
  redactWith(redact: (text: string) => string): void;
}

/** Opens the log. Lines of level `debug` are left out unless `verbose`; `quiet` keeps stderr free of it. */
export function openLog(
  options: { readonly file: string; readonly verbose: boolean; readonly quiet: boolean },
): DaemonLog {
  const file = openAppend(options.file, LIMIT_BYTES);
  let redact = (text: string) => text;
  const write = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => {
    if (level === "debug" && !options.verbose) return;
    const time = new Date().toISOString();
    file.write(redact(JSON.stringify({ time, level, message, ...fields })) + "\n");
    if (options.quiet) return;
    const shown = Object.entries(fields).map(([name, value]) => ` ${name}=${String(value)}`).join("");
    terminal.err(redact(`${time.slice(11, 19)} ${level.padEnd(5)} ${message}${shown}`) + "\n");
  };
  return {
    log: makeLogger(write),
    redactWith: (next) => redact = next,
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}
