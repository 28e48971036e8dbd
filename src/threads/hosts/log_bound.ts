import { type Clock, errorText, type Logger } from "../../base/mod.ts";
import { trimFile } from "../../platform/mod.ts";

const LIMIT = 16 * 1024 * 1024;
const KEPT = 1024 * 1024;
const LOOK_MS = 5_000;

/** Keeps what a host prints from filling the disk; returns what ends that. */
export function boundLog(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  path: string,
): () => void {
  let goes = true, forget = () => {};
  const look = async () => {
    await trimFile(path, LIMIT, KEPT).catch((error) => log.log("warn", `${path}: ${errorText(error)}`));
    if (goes) forget = clock.after(LOOK_MS, () => void look());
  };
  void look();
  return () => {
    goes = false;
    forget();
  };
}
