import { ensureFolder, findProgram, run } from "../../src/platform/mod.ts";
import { newId } from "../../src/base/mod.ts";
import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { measured, unmeasured } from "./rows.ts";
import type { Section } from "./section.ts";
import { messageFor } from "./turn.ts";
import { openWorld } from "./world.ts";

const LONG = 100_000, BATCH = 10_000;
const MOST_OPEN_MS = 50, MOST_FIRST_MS = 100, MOST_RATIO = 1.2, MOST_BYTES = 1024;

/** The first turn of a project that sleeps: its thread host has to come up. */
export const first: Section = {
  rows: ["first-turn"],
  async measure({ root, quick }) {
    if (!await findProgram("bwrap")) return [unmeasured("first-turn", "bubblewrap is not on this machine")];
    await using world = await openWorld(`${root}/first`);
    const thread = await world.create();
    await world.turn(thread, "warm");
    const rounds = await interleaved({
      first: async () => {
        await world.sleep();
        const at = performance.now();
        await world.turn(thread, "hello");
        return performance.now() - at;
      },
      deno: async () => {
        const at = performance.now();
        await run([Deno.execPath(), "eval", "0"], { inheritEnv: true });
        return performance.now() - at;
      },
    }, { rounds: quick ? 3 : 20, limitMs: 60_000 });
    const of = (way: "first" | "deno") => median(quieter(rounds).map(({ results }) => results[way]));
    return [
      measured("first-turn", rounded(of("first")), of("first") <= MOST_FIRST_MS, {
        peer: "a bare Deno that ends at once",
        ratio: rounded(of("first") / of("deno")),
      }),
    ];
  },
};

/** A thread of a hundred thousand messages beside a short one. */
export const long: Section = {
  rows: ["long-open", "long-turn"],
  async measure({ root, quick }) {
    await using world = await openWorld(`${root}/long`);
    const { store, threads } = world;
    const [thread, short] = [await world.create(), await world.create()];
    for (let from = 0; from < LONG; from += BATCH) {
      await store.write("power", (tx) => {
        const row = tx.thread(thread)!;
        for (let n = 0; n < BATCH; n++) {
          const role = n % 2 === 0 ? "user" : "assistant";
          tx.insertMessage(messageFor(thread, ++row.seq, role, `message ${from + n} ${newId()}`));
        }
        row.seenA = row.seenB = row.seq;
        tx.saveThread(row);
      });
    }
    const page = { limit: 50, offset: 0, order: "desc", includeSilent: false } as const;
    const open = () => {
      const at = performance.now();
      threads.show(thread);
      threads.messages(thread, page);
      threads.messages(thread, { ...page, offset: LONG / 2 });
      return performance.now() - at;
    };
    const opened = Array.from({ length: 20 }, open);
    const turn = (of: string) => async () => {
      const times: number[] = [];
      for (let n = 0; n < 20; n++) {
        const at = performance.now();
        await world.turn(of, "hello");
        times.push(performance.now() - at);
      }
      return median(times);
    };
    const rounds = quieter(
      await interleaved({ long: turn(thread), short: turn(short) }, {
        rounds: quick ? 3 : 20,
        limitMs: 30_000,
      }),
    );
    const ratio = median(rounds.map(({ results }) => results.long / results.short));
    const value = median(rounds.map(({ results }) => results.long));
    return [
      measured("long-open", rounded(Math.max(...opened)), Math.max(...opened) <= MOST_OPEN_MS, {
        why: "the slowest of 20: the thread, its newest page and one in the middle",
      }),
      measured("long-turn", rounded(value), ratio <= MOST_RATIO, {
        peer: "a thread that began with this bench",
        ratio: rounded(ratio),
      }),
    ];
  },
};

/** What threads take that rest. */
export const idle: Section = {
  rows: ["idle-memory"],
  async measure({ root, quick }) {
    const program = new URL("./idle_program.ts", import.meta.url).pathname;
    const folder = `${root}/idle`, count = quick ? 1000 : 10_000;
    await ensureFolder(folder);
    const { code, stdout, stderr } = await run(
      [Deno.execPath(), "run", "-A", "--v8-flags=--expose-gc", program, folder, String(count)],
      { inheritEnv: true },
    );
    if (code !== 0) return [unmeasured("idle-memory", stderr.trim())];
    const { bytes, resident, processes } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
    const holds = bytes <= MOST_BYTES && processes === 0;
    const why = `of ${count} that had a turn each; resident memory grew by ${
      Math.round(resident)
    } bytes each`;
    return [measured("idle-memory", Math.round(bytes), holds, { why })];
  },
};
