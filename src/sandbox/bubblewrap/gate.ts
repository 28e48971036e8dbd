import { join } from "node:path";
import { delay, HandlerError } from "../../base/mod.ts";
import { writeFifo } from "../../platform/mod.ts";
import type { PreparedSandbox, Sandbox } from "../spec.ts";
import { readStatus, statusFileIn } from "../status_file.ts";

const LOOK_MS = 5;

/** The FIFO in a sandbox's box that bubblewrap waits for before it becomes the program. */
export function gateIn(boxFolder: string): string {
  return join(boxFolder, "gate");
}

/** A started sandbox whose bubblewrap waits, once it does; it holds the gate open from then on. */
export async function behindGate(sandbox: Sandbox, boxFolder: string): Promise<PreparedSandbox> {
  let ended = false;
  void sandbox.exited.then(() => ended = true);
  const gone = () =>
    new HandlerError(
      "unavailable",
      `the sandbox ${sandbox.name} ended before its program ran: ${sandbox.log()}`,
    );
  while ((await readStatus(statusFileIn(boxFolder))).initPid === undefined) {
    if (ended) throw gone();
    await delay(LOOK_MS);
  }
  return {
    async start() {
      if (ended) throw gone();
      try {
        await writeFifo(gateIn(boxFolder), new Uint8Array([1]));
      } catch (error) {
        await sandbox.stop(0);
        throw error;
      }
      return sandbox;
    },
    async discard() {
      await sandbox.stop(0);
    },
  };
}
