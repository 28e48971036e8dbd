import { dirname } from "node:path";
import { HandlerError } from "../../base/mod.ts";
import { ensureFolder, readTextIfThere, realPath, statIfThere, writeAtomic } from "../../platform/mod.ts";
import type { McpClient } from "./client.ts";
import { type Plan, plan, type Wanted } from "./plan.ts";

/** What was done to a client's settings. */
export interface Applied {
  readonly file: string;
  readonly plan: Plan;
  /** The copy of the settings as they were; null where nothing was there or nothing changed. */
  readonly backup: string | null;
}

/** The settings' text; empty where there is no file. A byte order mark is kept apart, for JSON knows none. */
async function readSettings(file: string): Promise<{ readonly mark: string; readonly text: string }> {
  const whole = await readTextIfThere(file) ?? "";
  return whole.startsWith("\ufeff") ? { mark: "\ufeff", text: whole.slice(1) } : { mark: "", text: whole };
}

/** What {@linkcode apply} would do. */
export async function preview(client: McpClient, file: string, wanted: Wanted): Promise<Plan> {
  return plan(client, file, (await readSettings(file)).text, wanted);
}

/**
 * Changes a client's settings: a copy is put beside them first, then the new text takes their place in one step. A link
 * stays a link, the mode stays what it was.
 * @throws {HandlerError} as {@linkcode plan} does; `conflict` where somebody else writes at the same time
 */
export async function apply(
  client: McpClient,
  file: string,
  wanted: Wanted,
  stamp: string,
): Promise<Applied> {
  const { mark, text } = await readSettings(file);
  const planned = plan(client, file, text, wanted);
  if (planned.after === text) return { file, plan: planned, backup: null };
  const info = await statIfThere(file);
  const real = info ? await realPath(file) : file;
  const mode = info ? ((await statIfThere(real))?.mode ?? 0o600) & 0o777 : 0o600;
  const backup = info ? `${real}.handler-${stamp}.bak` : null;
  await ensureFolder(dirname(real));
  if (backup !== null) await writeAtomic(backup, mark + text, mode);
  const now = await readSettings(file);
  if (now.mark + now.text !== mark + text) {
    throw new HandlerError("conflict", `${file} was changed by another program meanwhile`, {
      hint: "do it again",
    });
  }
  await writeAtomic(real, mark + planned.after, mode);
  return { file, plan: planned, backup };
}
