import { utf8, utf8Text } from "../base/mod.ts";
import { processMark, start, tailOfFile } from "../platform/mod.ts";
import { LogTail } from "./running.ts";

/**
 * The head of the shell scripts that start a sandbox's first process: it lays the streams. `0<>` keeps a FIFO open for
 * as long as the program runs, whoever else lets go of it.
 */
export const LAY_STREAMS = `
if [ -n "$fifo" ]; then exec 0<>"$fifo"; else exec 0</dev/null; fi
if [ -n "$log" ]; then exec >>"$log" 2>&1; fi
`;

/** A process that was started for a sandbox. */
export interface Launched {
  readonly pid: number;
  readonly mark: string;
  /** Its exit code, once all it printed is in the log. */
  readonly ended: Promise<number>;
  readonly log: () => string;
}

/** Starts a process whose output goes to a file (the script lays it) or into memory. */
export async function launch(
  options: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** What it reads on stdin before the script lays another one. */
    readonly input: Uint8Array | undefined;
    readonly logFile: string | undefined;
  },
): Promise<Launched> {
  const { argv, env, cwd, input, logFile } = options;
  const output = logFile === undefined ? "piped" : "null";
  const stdin = input ? "piped" : "null";
  const child = start(argv, {
    env,
    stdin,
    stdout: output,
    stderr: output,
    ...(cwd === undefined ? {} : { cwd }),
  });
  const tail = new LogTail();
  const printed = logFile === undefined ? [collect(child.stdout, tail), collect(child.stderr, tail)] : [];
  const mark = await processMark(child.pid) ?? "";
  if (input) await feed(child.stdin, input);
  const ended = child.status.then(async ({ code }) => {
    await Promise.all(printed);
    return code;
  });
  return {
    pid: child.pid,
    mark,
    ended,
    log: () => logFile === undefined ? tail.text() : logFileTail(logFile),
  };
}

/** The log file that a sandbox writes: what outlives the daemon cannot write into its memory. */
export function logFileOf(
  spec: { readonly logFile?: string; readonly outlivesDaemon: boolean },
): string | undefined {
  return spec.logFile ?? (spec.outlivesDaemon ? "/dev/null" : undefined);
}

/** The end of a log file as text. */
export function logFileTail(path: string): string {
  return utf8Text(tailOfFile(path, LogTail.LIMIT));
}

/** Texts as one array of bytes, each closed by NUL. */
export function nulSeparated(texts: readonly string[]): Uint8Array {
  return utf8(texts.map((text) => text + "\0").join(""));
}

async function collect(stream: ReadableStream<Uint8Array>, tail: LogTail): Promise<void> {
  try {
    for await (const bytes of stream) tail.add(bytes);
  } catch {
    // the program was ended in the middle of a line
  }
}

/** Hands a process its input; where it ended before it read all, its exit code says so. */
async function feed(stdin: WritableStream<Uint8Array>, input: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(input);
    await writer.close();
  } catch {
    // told by the exit
  }
}
