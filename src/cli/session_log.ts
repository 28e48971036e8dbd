import { type Clock, delay, errorText, HandlerError } from "../base/mod.ts";
import type { SessionView } from "../client/mod.ts";
import type { Context } from "./command.ts";
import { EXIT } from "./exit.ts";
import { interruptible } from "./interrupt.ts";

/** How long a daemon may be away before following gives up, and how often it is looked for. */
const AWAY_MS = 60_000;
const PAUSE_MS = 250;

/** A session's log on its way to stdout; it knows how far it has come. */
class LogCopy {
  readonly #context: Context;
  readonly #id: string;
  readonly #decoder = new TextDecoder();
  #offset = 0;

  constructor(context: Context, id: string) {
    this.#context = context;
    this.#id = id;
  }

  /** Copies what comes, from where it stopped last. */
  async run(follow: boolean, signal: AbortSignal): Promise<void> {
    const { daemon, terminal } = this.#context;
    for await (const chunk of daemon.sessionLog(this.#id, this.#offset, follow, signal)) {
      this.#offset += chunk.length;
      terminal.out(this.#decoder.decode(chunk, { stream: true }));
    }
  }

  /** Half a character at the very end is shown as such. */
  end(): void {
    this.#context.terminal.out(this.#decoder.decode());
  }
}

/** Copies a session's log to stdout; with `follow` until it ends or Ctrl-C. */
export async function showLog(context: Context, id: string, follow: boolean): Promise<void> {
  using interrupt = interruptible();
  const copy = new LogCopy(context, id);
  await copy.run(follow, interrupt.signal);
  copy.end();
}

/** Follows a session to its end, sending on what is typed where `input` is true. @returns the exit code */
export async function followSession(context: Context, id: string, input: boolean): Promise<number> {
  using interrupt = interruptible();
  const { signal } = interrupt;
  if (input) void sendInput(context, id, signal);
  const session = await untilEnd(context, new LogCopy(context, id), id, signal);
  if (session) return ended(context, session);
  context.output.note(`\nthe session ${id} goes on`);
  context.output.next(`handler attach ${id}, or handler stop ${id}`);
  return EXIT.done;
}

/** The session once it has ended; undefined where Ctrl-C came first. A session outlives the daemon, and so does this. */
async function untilEnd(
  context: Context,
  copy: LogCopy,
  id: string,
  signal: AbortSignal,
): Promise<SessionView | undefined> {
  const patience = new Patience(context.clock);
  while (!signal.aborted) {
    try {
      await copy.run(true, signal);
      if (signal.aborted) break;
      const session = await context.daemon.session(id);
      patience.renew();
      if (session.endedAt !== null) {
        copy.end();
        return session;
      }
    } catch (error) {
      if (patience.first(error)) {
        context.output.note("handlerd went away; the session goes on, waiting for handlerd");
      }
    }
    await delay(PAUSE_MS, signal).catch(() => {});
  }
  return undefined;
}

/** Bears that the daemon is away, for a while. */
class Patience {
  readonly #clock: Clock;
  #since: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  renew(): void {
    this.#since = undefined;
  }

  /** Whether this is the first time; throws what is no absence, and an absence that lasts too long. */
  first(error: unknown): boolean {
    if (!(error instanceof HandlerError) || error.kind !== "unreachable") throw error;
    const now = this.#clock.monotonic();
    if (this.#since !== undefined && now - this.#since > AWAY_MS) throw error;
    const first = this.#since === undefined;
    this.#since ??= now;
    return first;
  }
}

async function sendInput(
  { terminal, daemon, output }: Context,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of terminal.input()) {
      if (signal.aborted) return;
      await daemon.sessionInput(id, chunk);
    }
  } catch (error) {
    if (!signal.aborted) {
      output.note(`handler: what is typed does not reach the session: ${errorText(error)}`);
    }
  }
}

/** Says how a session ended; its own exit code is told, ours is 1 where it failed. */
function ended({ output }: Context, session: SessionView): number {
  const code = session.exitCode === null ? "" : ` with the exit code ${session.exitCode}`;
  if (session.state !== "exited") output.note(`the session ${session.id} is ${session.state}${code}`);
  return session.state === "exited" && (session.exitCode ?? 0) === 0 ? EXIT.done : EXIT.failed;
}
