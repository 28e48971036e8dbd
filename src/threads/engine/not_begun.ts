import { type Clock, HandlerError } from "../../base/mod.ts";
import { HostFailure, type ThreadHost, type ThreadHosts } from "../ports.ts";

/** While no host comes up it is tried again this often. */
const AGAIN_MS = 2_000;

/** What a run needs to find another host. */
export interface HostSource {
  readonly project: string;
  /** The host to begin with. */
  readonly host: ThreadHost;
  /** Aborted when the run is not wanted any more. */
  readonly signal: AbortSignal;
  /** Whether it waits for definitions to be put right, which a turn does until its limit. */
  readonly waits: boolean;
  /** How long other hosts are looked for, in milliseconds. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly hosts: Pick<ThreadHosts, "get">;
}

/**
 * Runs a function in a host; where that was ended before the function was called, in the next one. So it is called once,
 * whatever others did to the process that it was to run in.
 * @throws what `run` does
 */
export async function runOnce<T>(source: HostSource, run: (host: ThreadHost) => Promise<T>): Promise<T> {
  const end = source.clock.monotonic() + source.limitMs;
  for (let host = source.host;;) {
    try {
      return await run(host);
    } catch (error) {
      if (!(error instanceof HostFailure) || error.kind !== "not_begun") throw error;
      if (source.signal.aborted || source.clock.monotonic() >= end) throw error;
      host = await nextHost(source, error);
    }
  }
}

async function nextHost(source: HostSource, failure: HostFailure): Promise<ThreadHost> {
  for (;;) {
    try {
      return await source.hosts.get(source.project);
    } catch (error) {
      if (!source.waits || !(error instanceof HandlerError)) throw error;
    }
    await pause(source);
    if (source.signal.aborted) throw failure;
  }
}

/** Waits a moment, or until the run is not wanted any more. */
async function pause({ clock, signal }: HostSource): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((over) => {
    const end = () => {
      forget();
      signal.removeEventListener("abort", end);
      over();
    };
    const forget = clock.after(AGAIN_MS, end);
    signal.addEventListener("abort", end);
  });
}
