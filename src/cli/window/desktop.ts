import { env, findProgram, homeFolder, readText, realPath, statIfThere, system } from "../../platform/mod.ts";
import type { Reach } from "./window.ts";

/** The desktop that windows are opened on. */
export interface Desktop {
  readonly os: string;
  /** Where programs are looked for. */
  readonly path: string;
  readonly home: string;
  /** Handler's data folder; the windows' profiles lie in it. */
  readonly dataFolder: string;
  /** Whether there is a screen to open a window on. */
  readonly graphical: boolean;
}

/** The desktop that this program was started on. */
export function thisDesktop(dataFolder: string): Desktop {
  const graphical = system.os !== "linux" || (env("DISPLAY") ?? env("WAYLAND_DISPLAY")) !== undefined;
  return { os: system.os, path: env("PATH") ?? "", home: homeFolder(), dataFolder, graphical };
}

/** The first of some programs that is there: names are looked for, paths are taken as they are. */
export async function firstProgram(desktop: Desktop, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const found = await findProgram(name, desktop.path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A script that starts a snap is short. */
const SCRIPT_BYTES = 16 * 1024;

/**
 * Where a browser's profile lies; an app's window has another than the desk's, which reaches more. One that is a snap sees no hidden folder of the home, so it gets a place in its own.
 * @param name the snap's name and what the profile is called in it
 */
export async function profileFolder(
  desktop: Desktop,
  program: string,
  name: "firefox" | "chromium",
  reach: Reach,
): Promise<string> {
  if (await isSnap(program)) {
    return `${desktop.home}/snap/${name}/common/handler-${reach.desk ? "desk" : "apps"}`;
  }
  return `${desktop.dataFolder}/window/${name}${reach.desk ? "-desk" : ""}`;
}

async function isSnap(program: string): Promise<boolean> {
  const real = await realPath(program);
  if (program.startsWith("/snap/") || real.startsWith("/snap/") || real === "/usr/bin/snap") return true;
  const { size } = await statIfThere(real) ?? { size: Infinity };
  return size <= SCRIPT_BYTES && (await readText(real)).includes("/snap/bin/");
}
