import { errorText, HandlerError, type Logger } from "../base/mod.ts";
import { homeFolder, isMissing, readBounded } from "../platform/mod.ts";
import type { Found } from "./reference.ts";
import { MAX_SECRET_BYTES } from "./value.ts";

/**
 * What a file of the person's holds; `~/` is their home. A file that others can read is used all the same, since
 * mounted secrets often look so, but the log says it.
 */
export async function fromFile(path: string, slot: string, log: Logger): Promise<Found> {
  const whole = path.startsWith("~/") ? homeFolder() + path.slice(1) : path;
  if (!whole.startsWith("/")) return { why: `the path ${path} is not absolute` };
  try {
    const { bytes, mode } = await readBounded(whole, MAX_SECRET_BYTES + 2);
    if ((mode & 0o077) !== 0) {
      const found = mode.toString(8).padStart(4, "0");
      log.log("warn", "a secret's file can be read by others", { slot, file: whole, mode: found });
    }
    return { bytes };
  } catch (error) {
    return { why: reason(whole, error) };
  }
}

function reason(path: string, error: unknown): string {
  if (error instanceof HandlerError) return error.message;
  if (isMissing(error)) return `there is no file ${path}`;
  return `the file ${path} could not be read (${errorText(error).split(":")[0]})`;
}
