import type { LogPump } from "./log_pump.ts";
import type { LogPiece, SessionLog } from "./session_log.ts";

const PIECE = 64 * 1024;

/**
 * The pieces of a log from an offset on; with a pump until it has carried the last one over, or the signal aborts.
 */
export async function* followLog(
  log: SessionLog,
  offset: number,
  pump: LogPump | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LogPiece> {
  const aborted = new Promise<void>((resolve) =>
    signal?.addEventListener("abort", () => resolve(), { once: true })
  );
  for (let at = offset;;) {
    if (signal?.aborted) return;
    const over = pump?.over ?? true;
    const grown = pump?.grown;
    const piece = await log.read(at, PIECE);
    if (piece.bytes.length > 0) {
      yield piece;
      at = piece.offset + piece.bytes.length;
    } else if (over) return;
    else await Promise.race([grown, aborted]);
  }
}
