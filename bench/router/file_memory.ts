import { forgetPeak, peakBytes, residentBytes } from "../measure/machine.ts";
import { median, rounded } from "../measure/stats.ts";
import type { Caller } from "./caller.ts";
import { startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";
import type { Context, Figure, Section } from "./section.ts";

const SMALL = "file-20mb-memory", LARGE = "file-80mb-memory";
const MEGABYTE = 1e6;
const MOST = 32;

/** What handlerd's memory grows by while a file goes to a connector as `handler-file`. */
export const fileMemory: Section = {
  rows: [SMALL, LARGE],
  async measure(context) {
    const { folders, work } = await layHome(`${context.root}/files`, { wrapped: undefined });
    await using daemon = await startHandlerd(folders, context);
    await trustAll(daemon.client, ["echo", "bulk"]);
    const desk = await daemon.connect("desk", "bulk");
    const hand = async (megabytes: number) => {
      const path = `${work}/${megabytes}.bin`;
      await writeFile(path, megabytes);
      return () => handIn(desk, path, megabytes * MEGABYTE);
    };
    for (let warmUp = 0; warmUp < 3; warmUp++) await (await hand(1))();
    const grown = async (megabytes: number) => growth(daemon.pid, await hand(megabytes), context);
    const small = await grown(20), large = await grown(80);
    return [
      figure(SMALL, small, `idle ${small.idle} MB`),
      {
        ...figure(LARGE, large, `idle ${large.idle} MB`),
        peer: "20 MB",
        ratio: rounded(large.over / small.over),
      },
    ];
  },
};

async function writeFile(path: string, megabytes: number): Promise<void> {
  const chunk = crypto.getRandomValues(new Uint8Array(50_000));
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = file.writable.getWriter();
  for (let at = 0; at < megabytes * MEGABYTE; at += chunk.length) await writer.write(chunk);
}

async function handIn(desk: Caller, path: string, bytes: number): Promise<void> {
  const answer = JSON.parse(new TextDecoder().decode(await desk.call("bulk_file", JSON.stringify({ path }))));
  const got = answer.result.structuredContent.bytes;
  if (got !== bytes) throw new Error(`the connector saw ${got} bytes of ${bytes}`);
}

interface Growth {
  /** Megabytes at rest before. */
  readonly idle: number;
  /** The most above that while the call ran. */
  readonly over: number;
}

/** The kernel's own high-water mark, so that no peak is missed between samples. */
async function growth(pid: number, call: () => Promise<void>, { quick }: Context): Promise<Growth> {
  const idles: number[] = [], overs: number[] = [];
  for (let time = 0; time < (quick ? 2 : 7); time++) {
    await new Promise((resolve) => setTimeout(resolve, quick ? 200 : 1000));
    const idle = residentBytes(pid);
    forgetPeak(pid);
    await call();
    idles.push(idle);
    overs.push(peakBytes(pid) - idle);
  }
  return { idle: rounded(median(idles) / MEGABYTE), over: rounded(median(overs) / MEGABYTE) };
}

function figure(row: string, { over }: Growth, why: string): Figure {
  return { row, value: over, unit: "MB", goal: `≤ ${MOST} MB over idle`, holds: over <= MOST, why };
}
