import { copyTreeGuarded, removeAll, rename, statIfThere } from "../platform/mod.ts";
import { type DataCopy, type DataFound, inspectData } from "./inspect.ts";
import type { AppsPorts } from "./ports.ts";

/** What of an app's data is copied at most. */
export const DATA_LIMIT = 64 * 1024 ** 3;

/** What is copied where, of an app whose backend does not run. */
export interface DataCopying extends Omit<DataCopy, "folder"> {
  readonly from: string;
  readonly to: string;
  /** `whole` refuses what cannot be copied, such as a link; `files` leaves it out. */
  readonly what: "whole" | "files";
}

/**
 * Copies the data of an app (contract H.4) with the logs of its databases, without following or filling anything, then
 * opens and queries every database of the copy.
 *
 * @returns what the copy holds
 * @throws {HandlerError} where the copy does not count; the target is then gone
 */
export async function copyData(ports: AppsPorts, copying: DataCopying): Promise<DataFound> {
  const { from, to, what, ...copy } = copying;
  try {
    const links = what === "whole" ? "refuse" : "skip";
    await copyTreeGuarded(from, to, { limitBytes: DATA_LIMIT, links, leaveOut: [] });
    return await inspectData(ports, { ...copy, folder: to });
  } catch (error) {
    await removeAll(to);
    throw error;
  }
}

/** Puts a checked copy in the place of the data; what was there is kept under `kept`. Both renames are of one folder. */
export async function exchangeData(data: string, fresh: string, kept: string): Promise<void> {
  if (await statIfThere(data)) await rename(data, kept);
  await rename(fresh, data);
}
