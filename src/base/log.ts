/** How grave a line of the log is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a log line carries besides its text: short values, never payloads and never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The log as a port; the daemon writes to a file, a test keeps a list. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
  /** The same log with `fields` added to every line. */
  with(fields: LogFields): Logger;
}

/** Drops everything. */
export const silentLogger: Logger = {
  log() {},
  with: () => silentLogger,
};

/** Builds a logger over one function that takes whole lines. */
export function makeLogger(
  write: (level: LogLevel, message: string, fields: LogFields) => void,
  always: LogFields = {},
): Logger {
  return {
    log: (level, message, fields) => write(level, message, { ...always, ...fields }),
    with: (fields) => makeLogger(write, { ...always, ...fields }),
  };
}
