import type { SessionRecord, SessionState } from "../store/mod.ts";

/** A session as others see it (contract B.2). */
export interface Session {
  readonly id: string;
  readonly agent: string;
  readonly project: string;
  readonly state: SessionState;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly exitCode: number | null;
  /** Why it is in this state, where the state does not say all. */
  readonly reason: string | null;
  /** null for a session without a process, of the harness `external`. */
  readonly driver: string | null;
  /** How many calls of services it has made. */
  readonly calls: number;
  /** The folder of its log. */
  readonly logPath: string | null;
  /** Whether its program reads what it is sent while it runs. */
  readonly takesInput: boolean;
}

/** What a session's record holds for a later daemon. */
export interface SessionContext {
  /** `host:port` texts. */
  readonly egress: readonly string[];
  readonly requires: readonly string[];
  /** What was selected at the start; it counts where the agent is not configured any more. */
  readonly selection: Readonly<Record<string, readonly string[]>>;
  readonly scope: string;
  readonly privacy: "local" | "any";
  readonly interactive: boolean;
}

/** What others may see of a record. */
export function toSession(
  { sandbox: _sandbox, handle: _handle, context, ...rest }: SessionRecord,
): Session {
  return { ...rest, takesInput: (context as Partial<SessionContext> | null)?.interactive === true };
}

/** Whether a session has not ended. */
export function isOpen({ state }: Pick<SessionRecord, "state">): boolean {
  return state === "starting" || state === "running";
}
