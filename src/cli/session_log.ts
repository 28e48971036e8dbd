import { errorText } from "../base/mod.ts";
import type { SessionView } from "../client/mod.ts";
import type { Context } from "./command.ts";
import { EXIT } from "./exit.ts";
import { interruptible } from "./interrupt.ts";

/** Copies a session's log to stdout; with `follow` until it ends or Ctrl-C. @returns whether it was left early */
export async function copyLog(
  context: Context,
  id: string,
  follow: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder();
  for await (const chunk of context.daemon.sessionLog(id, 0, follow, signal)) {
    context.terminal.out(decoder.decode(chunk, { stream: true }));
  }
  context.terminal.out(decoder.decode());
  return signal.aborted;
}

/** Follows a session to its end, sending on what is typed where `input` is true. @returns the exit code */
export async function followSession(context: Context, id: string, input: boolean): Promise<number> {
  using interrupt = interruptible();
  if (input) void sendInput(context, id, interrupt.signal);
  if (await copyLog(context, id, true, interrupt.signal)) {
    context.output.note(`\nthe session ${id} goes on`);
    context.output.next(`handler attach ${id}, or handler stop ${id}`);
    return EXIT.done;
  }
  return ended(context, await context.daemon.session(id));
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
