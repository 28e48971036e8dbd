import { forgetPeak, peakBytes, residentBytes } from "../measure/machine.ts";
import { median, rounded } from "../measure/stats.ts";
import type { Caller } from "./caller.ts";
import { compiled, remark } from "./compiled.ts";
import { startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";
import { measured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const SMALL = "file-20mb-memory", LARGE = "file-80mb-memory";
const MEGABYTE = 1e6;
const MOST = 32;

/** What handlerd's memory grows by while a file goes to a connector as `handler-file`. */
export const fileMemory: Section = {
  rows: [SMALL, LARGE],
  async measure(context) {
    const { folders, work } = await layHome(`${context.root}/files`, { wrapped: undefined });
    const program = await compiled(context);
    await using daemon = await startHandlerd(folders, { program, driver: context.driver });
    await trustAll(daemon.client, ["echo", "bulk"]);
    const desk = await daemon.connect("desk", "bulk");
    const hand = (megabytes: number) => {
      const path = `${work}/${megabytes}.bin`;
      writeFile(path, megabytes);
      return () => handIn(desk, path, megabytes * MEGABYTE);
    };
    const idle = await atRest(daemon.pid, hand(1), context);
    const over = async (megabytes: number) =>
      rounded((await highest(daemon.pid, hand(megabytes), context) - idle) / MEGABYTE);
    const small = await over(20), large = await over(80);
    const why = remark(
      program,
      `${rounded(idle / MEGABYTE)} MB at rest after small files; the most of all calls`,
    );
    return [
      measured(SMALL, small, small <= MOST, { why }),
      measured(LARGE, large, large <= MOST, { peer: "20 MB", ratio: rounded(large / small), why }),
    ];
  },
};

function writeFile(path: string, megabytes: number): void {
  const chunk = crypto.getRandomValues(new Uint8Array(50_000));
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  for (let left = megabytes * MEGABYTE; left > 0;) left -= file.writeSync(chunk.subarray(0, left));
}

async function handIn(desk: Caller, path: string, bytes: number): Promise<void> {
  const answer = JSON.parse(new TextDecoder().decode(await desk.call("bulk_file", JSON.stringify({ path }))));
  const got = answer.result.structuredContent.bytes;
  if (got !== bytes) throw new Error(`the connector saw ${got} bytes of ${bytes}`);
}

/** Resident bytes between calls with a small file, when all that a call needs is loaded. */
async function atRest(pid: number, call: () => Promise<void>, { quick }: Context): Promise<number> {
  const found: number[] = [];
  for (let time = 0; time < 5; time++) {
    await call();
    await pause(quick ? 100 : 1000);
    found.push(residentBytes(pid));
  }
  return median(found.slice(2));
}

/** The kernel's own high-water mark over some calls, so that no peak is missed between samples. */
async function highest(pid: number, call: () => Promise<void>, { quick }: Context): Promise<number> {
  let most = 0;
  for (let time = 0; time < (quick ? 2 : 8); time++) {
    forgetPeak(pid);
    await call();
    most = Math.max(most, peakBytes(pid));
    await pause(quick ? 100 : 500);
  }
  return most;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
