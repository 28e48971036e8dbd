import { HandlerError } from "../base/mod.ts";
import {
  copyFile,
  ensureFolder,
  hardLink,
  isCopyOf,
  readTextIfThere,
  removeAll,
  rename,
  setMode,
  writeAtomic,
} from "../platform/mod.ts";
import type { DriverName } from "../sandbox/mod.ts";
import type { GuestPort } from "./ports.ts";

/** The commands that an agent finds on its search path; `handler` is there for authors of mini apps alone. */
export const GUEST_COMMANDS = ["handler-service", "handler-call", "handler-llm", "handler"] as const;

/** What {@linkcode createGuestBin} needs. */
export interface GuestBinOptions {
  /** The state folder; the commands lie in `guest/bin-<driver>` below it, on a disk: the runtime folder is memory. */
  readonly stateFolder: string;
  /** The folder with the bundled commands, `service.js` for `handler-service` and so on. */
  readonly bundleFolder: string;
  /** The compiled program, which is each command under its name; undefined where the source runs. */
  readonly compiledProgram: string | undefined;
  /** The path of a Deno as a driver's sandboxes see it. */
  denoInside(driver: DriverName): string;
}

/**
 * The commands for sandboxes, made anew by each daemon at the first use: scripts for the sandbox's Deno, or the compiled
 * program itself under their names.
 */
export function createGuestBin(options: GuestBinOptions): GuestPort {
  const made = new Map<DriverName, Promise<string>>();
  return {
    binFolder(driver) {
      let folder = made.get(driver);
      if (!folder) {
        made.set(driver, folder = makeBin(options, driver));
        folder.catch(() => made.delete(driver));
      }
      return folder;
    },
  };
}

async function makeBin(options: GuestBinOptions, driver: DriverName): Promise<string> {
  const folder = `${options.stateFolder}/guest/bin-${driver}`;
  await ensureFolder(folder);
  await setMode(folder, 0o755);
  let program = options.compiledProgram;
  for (const command of GUEST_COMMANDS) {
    const path = `${folder}/${command}`;
    if (program === undefined) await writeScript(options, driver, command, path);
    else await placeProgram(program, path);
    program &&= path; // the others are names of the first, so that it is copied once at most
  }
  return folder;
}

async function writeScript(
  { bundleFolder, denoInside }: GuestBinOptions,
  driver: DriverName,
  command: string,
  path: string,
): Promise<void> {
  const file = `${bundleFolder}/${command.replace(/^handler-/, "")}.js`;
  const bundle = await readTextIfThere(file);
  if (bundle === undefined) {
    throw new HandlerError("unavailable", `the bundled command ${file} is not there`, {
      hint: "make it with: deno task prepare",
    });
  }
  await writeAtomic(path, `#!${denoInside(driver)} -A\n${bundle}`);
  await setMode(path, 0o755); // the umask is the daemon's
}

/** A second name for the program where the disk is the same, else a copy. */
async function placeProgram(program: string, path: string): Promise<void> {
  if (await isCopyOf(program, path)) return;
  const fresh = `${path}.new`; // sessions of an earlier daemon may run the old one, so it is replaced, not written
  await removeAll(fresh);
  if (!await hardLink(program, fresh)) {
    await copyFile(program, fresh);
    await setMode(fresh, 0o755);
  }
  await rename(fresh, path);
}
