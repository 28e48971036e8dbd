import { join } from "node:path";
import { utf8 } from "../../base/mod.ts";
import { closeQuietly, ensureFolder, listenUnix, writeWhole } from "../../platform/mod.ts";
import { EGRESS_INSIDE } from "../egress/sockets.ts";

/** The variable that tells the boot where secrets wait. */
export const SECRETS_VARIABLE = "HANDLER_SECRETS";

/** Where the boot finds them. */
export const SECRETS_INSIDE = `${EGRESS_INSIDE}/secrets`;

/**
 * Gives secrets to the first who connects to a socket in the sandbox's own folder, which is its boot, and to nobody
 * after. So they stand in no command line, no `podman inspect` and on no disk.
 *
 * @returns a function that takes the socket away
 */
export async function offerSecrets(
  folder: string,
  secrets: Readonly<Record<string, string>>,
): Promise<() => void> {
  await ensureFolder(folder);
  const listener = await listenUnix(join(folder, "secrets"));
  let open = true;
  const close = () => {
    if (open) listener.close();
    open = false;
  };
  void (async () => {
    for await (const taker of listener) {
      close(); // which also ends this loop
      await writeWhole(taker, utf8(JSON.stringify(secrets))).catch(() => {});
      closeQuietly(taker);
    }
  })();
  return close;
}
