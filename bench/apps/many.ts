import { residentBytes } from "../measure/machine.ts";
import { rounded } from "../measure/stats.ts";
import { quickDriver } from "../router/daemon.ts";
import { type AppDesk, startDesk, type Visitor } from "./desk.ts";
import { askOnce } from "./line.ts";
import { type Figure, measured } from "./rows.ts";
import type { Section } from "./section.ts";

const EACH_MB = 2, WOKEN_MS = 1_000, WOKEN = 10;

/** Many apps: what those that sleep cost handlerd, and how soon ten woken at once answer. */
export const many: Section = {
  rows: ["sleeping-50", "woken-10"],
  async measure(context) {
    const { root, program, quick } = context;
    await using desk = await startDesk(`${root}/many`, { program, driver: await quickDriver() });
    await desk.hello("first");
    const before = await resting(desk);
    const count = quick ? WOKEN : 50;
    const visitors: Visitor[] = [];
    for (let at = 0; at < count; at++) visitors.push(await desk.hello(`app-${at}`));
    for (const { target, head } of visitors) await askOnce(target, head("/api/hello"));
    for (let at = 0; at < count; at++) await desk.daemon.client.appStop(`app-${at}`);
    const each = rounded((await resting(desk) - before) / count / 1e6);
    return [
      measured("sleeping-50", each, each <= EACH_MB, { why: `${count} apps that had run` }),
      await woken(visitors),
    ];
  },
};

async function woken(visitors: readonly Visitor[]): Promise<Figure> {
  const from = performance.now();
  const answers = visitors.slice(0, WOKEN).map(({ target, head }) => askOnce(target, head("/api/hello")));
  const statuses = await Promise.all(answers);
  const ms = Math.round(performance.now() - from);
  const failed = statuses.filter((status) => status !== 200).length;
  return measured(
    "woken-10",
    ms,
    failed === 0 && ms <= WOKEN_MS,
    failed > 0 ? { why: `${failed} failed` } : {},
  );
}

/** Resident memory once nothing goes on. */
async function resting({ daemon }: AppDesk): Promise<number> {
  await new Promise((later) => setTimeout(later, 5_000));
  return residentBytes(daemon.pid);
}
