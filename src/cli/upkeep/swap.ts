import { HandlerError } from "../../base/mod.ts";
import { copyFile, hardLink, removeQuietly, rename, statIfThere } from "../../platform/mod.ts";

/** The files of an installed program. */
export interface ProgramFiles {
  readonly program: string;
  /** The one before it. */
  readonly before: string;
  /** One that is about to take its place. */
  readonly fresh: string;
}

/** The files beside an installed program. */
export function programFiles(program: string): ProgramFiles {
  return { program, before: `${program}.old`, fresh: `${program}.new` };
}

/** The fresh program takes the place of the installed one, which is kept; at every moment there is a whole one. */
export async function putInPlace({ program, before, fresh }: ProgramFiles): Promise<void> {
  await secondName(program, before);
  await rename(fresh, program);
}

/** The program before this one comes back; the one that it replaces is gone. */
export async function putBack({ program, before }: ProgramFiles): Promise<void> {
  await rename(before, program);
}

/** The two change places. @throws {HandlerError} `not_found` where there is none before */
export async function exchange(files: ProgramFiles): Promise<void> {
  if (!await statIfThere(files.before)) {
    throw new HandlerError("not_found", "there is no program before this one", {
      hint: "an update keeps the one that it replaces",
    });
  }
  await secondName(files.program, files.fresh);
  await rename(files.before, files.program);
  await rename(files.fresh, files.before);
}

async function secondName(from: string, to: string): Promise<void> {
  const passing = `${to}.part`;
  await removeQuietly(passing);
  if (!await hardLink(from, passing)) await copyFile(from, passing);
  await rename(passing, to);
}
