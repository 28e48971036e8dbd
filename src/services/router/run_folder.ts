import { ensureFolder, setMode } from "../../platform/mod.ts";
import type { SandboxSpec } from "../../sandbox/mod.ts";

/**
 * Makes the folder that a connector and the router share. The sandbox's user is another one under some drivers; the folders
 * above are the daemon's own, mode 0700.
 */
export async function prepareRunFolder(folder: string): Promise<void> {
  for (const path of [folder, `${folder}/files`, `${folder}/files/in`, `${folder}/files/out`]) {
    await ensureFolder(path);
    await setMode(path, path.endsWith("/in") ? 0o755 : 0o777);
  }
}

/** A spec with the folder that a connector and the router share. */
export function withRunFolder(
  spec: SandboxSpec,
  folder: string,
  secretEnv: Record<string, string>,
): SandboxSpec {
  return {
    ...spec,
    secretEnv: { ...spec.secretEnv, ...secretEnv },
    mounts: [...spec.mounts, { source: folder, target: "/run/handler", mode: "rw" }],
    env: {
      ...spec.env,
      HANDLER_CONNECTOR_SOCKET: "/run/handler/connector.sock",
      HANDLER_CONNECTOR_FILES: "/run/handler/files",
    },
  };
}
