import { HandlerError } from "../base/mod.ts";
import { statIfThere } from "../platform/mod.ts";
import type { SandboxSpec } from "./spec.ts";

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Refuses a spec that could not be started as it says, before anything is made. */
export async function checkSpec(spec: SandboxSpec): Promise<void> {
  if (!NAME.test(spec.name)) {
    throw new HandlerError(
      "usage",
      `a sandbox is named by a-z, 0-9 and '-', found ${JSON.stringify(spec.name)}`,
    );
  }
  for (const name of [...Object.keys(spec.env), ...Object.keys(spec.secretEnv)]) {
    if (!VARIABLE.test(name)) {
      throw new HandlerError("usage", `${JSON.stringify(name)} is no name of a variable`);
    }
  }
  for (const [name, value] of Object.entries({ ...spec.env, ...spec.secretEnv })) {
    if (value.includes("\0")) throw new HandlerError("usage", `the variable ${name} holds a NUL byte`);
  }
  for (const path of [spec.cwd, ...spec.mounts.flatMap(({ source, target }) => [source, target])]) {
    if (!path.startsWith("/") || path.split("/").includes("..") || path.includes("\0")) {
      throw new HandlerError(
        "usage",
        `a sandbox's paths are absolute and without '..', found ${JSON.stringify(path)}`,
      );
    }
  }
  for (const { source } of spec.mounts) {
    if (!await statIfThere(source)) {
      throw new HandlerError(
        "not_found",
        `the sandbox ${spec.name} was not started: there is no ${source} to mount`,
      );
    }
  }
}
