import { delay, HandlerError } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import { processMark } from "../../platform/mod.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";

const TRIES = 200;
const PAUSE_MS = 100;

/** `handler shutdown` */
export const shutdown: Command = {
  words: ["shutdown"],
  summary: "end the daemon",
  description:
    `Asks handlerd to end, and waits until it has. Connectors are stopped; sessions of agents go on and are
taken over by the next handlerd.`,
  args: [],
  options: [],
  examples: [{ line: "handler shutdown", does: "end handlerd" }],
  async run({ daemon, output }) {
    const { pid } = await daemon.status();
    const mark = await processMark(pid);
    await daemon.shutDown();
    for (let tries = 0; tries < TRIES; tries++) {
      if (await hasEnded(daemon, pid, mark)) {
        output.note("handlerd has ended");
        return EXIT.done;
      }
      await delay(PAUSE_MS);
    }
    throw new HandlerError("timeout", `handlerd did not end in ${TRIES * PAUSE_MS / 1000} s`);
  },
};

/** The process tells; its socket does only where the process cannot be seen: to ask there may start another daemon. */
async function hasEnded(daemon: Client, pid: number, mark: string | undefined): Promise<boolean> {
  if (mark !== undefined) return await processMark(pid) !== mark;
  return await daemon.status().then((now) => now.pid !== pid, (error) => error.kind === "unreachable");
}
