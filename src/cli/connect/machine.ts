import { env, findProgram, homeFolder, statIfThere, system } from "../../platform/mod.ts";
import type { Machine } from "./client.ts";

/** This machine, as its owner sees it. */
export function thisMachine(): Machine {
  return {
    os: system.os,
    home: homeFolder(),
    variable: env,
    exists: async (path) => await statIfThere(path) !== undefined,
    hasProgram: async (name) => await findProgram(name) !== undefined,
  };
}
