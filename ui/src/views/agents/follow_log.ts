import { client } from "$lib/client.ts";
import type { LogLines } from "$lib/log_lines.svelte.ts";

/** A hidden window gives its connection back, for a browser has few, and goes on where it was. */
const HIDDEN_MS = 5_000;
const AGAIN_MS = 1_000;

/** Of a log that is longer the beginning may be gone already, so that what was read does not tell where it stands. */
const SURE_BYTES = 15 * 1024 * 1024;

/** Reads a session's log while it grows, until the session ends. @returns what ends that */
export function followLog(id: string, into: LogLines): () => void {
  let running: AbortController | undefined, timer: ReturnType<typeof setTimeout> | undefined, whole = false;
  const read = async () => {
    clearTimeout(timer);
    if (whole || running) return;
    if (into.offset > SURE_BYTES) into.clear();
    const { signal } = running = new AbortController();
    try {
      for await (const bytes of client.sessionLog(id, into.offset, true, signal)) into.append(bytes);
      whole = !signal.aborted;
    } catch {
      // the daemon is gone, or the way to it: the rest is asked for again
      if (!signal.aborted) timer = setTimeout(read, AGAIN_MS);
    }
    running = undefined;
  };
  const pause = () => {
    running?.abort();
    running = undefined;
  };
  const shown = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(pause, HIDDEN_MS);
    else void read();
  };
  document.addEventListener("visibilitychange", shown);
  void read();
  return () => {
    document.removeEventListener("visibilitychange", shown);
    clearTimeout(timer);
    pause();
  };
}
