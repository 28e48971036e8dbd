/// <reference lib="dom" />
import type { Visit } from "../../tests/desk/desk.ts";
import { rounded } from "../measure/stats.ts";
import { fillThread } from "./fill.ts";
import { framesOf, framesWhileScrolling } from "./frames.ts";
import { type Figure, measured, type RowName } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const FLOOR = "the same page, left alone";
const GOAL = 55;

/** Long lists in Chromium: everything is loaded first, then the list is scrolled from end to end. */
export const scroll: Section = {
  rows: ["scroll-calls", "scroll-messages"],
  async measure(context) {
    const visit = await context.desk.visit("chromium");
    context.say("scrolling through 10,000 calls");
    await visit.go("/calls");
    await loadAll(visit, "end", context.quick ? 400 : 10_000);
    const calls = await smooth(context, visit, "scroll-calls");
    context.say("scrolling through 10,000 messages");
    await visit.go(`/threads/${await fillThread(context.desk.home, context.quick ? 400 : 10_000)}`);
    await visit.settled();
    await loadAll(visit, "start", context.quick ? 300 : 2_000);
    return [calls, await smooth(context, visit, "scroll-messages")];
  },
};

/** Scrolls to one end of the list, again and again, until so many rows were there or no more come. */
async function loadAll({ page }: Visit, to: "end" | "start", rows: number): Promise<void> {
  await page.evaluate(
    async (to, rows) => {
      const pause = () => new Promise((go) => setTimeout(go, 100));
      let last = -1, same = 0;
      for (let tries = 0; tries < 600 && same < 15; tries++) {
        const boxes = [...document.querySelectorAll("main *")].filter((one) =>
          one.scrollHeight > one.clientHeight * 1.5
        );
        const box = boxes.toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
        if (box) box.scrollTop = to === "end" ? box.scrollHeight : 0;
        await pause();
        const size = box?.scrollHeight ?? 0;
        same = size === last ? same + 1 : 0;
        last = size;
        if (size > rows * 56) return;
      }
    },
    to,
    rows,
  );
}

async function smooth({ quick }: Context, { page }: Visit, row: RowName): Promise<Figure> {
  const ms = quick ? 1000 : 4000;
  const floor = await framesOf(page, ms);
  const { perSecond, longest } = await framesWhileScrolling(page, ms);
  const why = `the longest frame ${Math.round(longest)} ms`;
  const ratio = rounded(perSecond / floor.perSecond);
  return measured(row, rounded(perSecond), perSecond >= Math.min(GOAL, floor.perSecond * 0.92), {
    ...{ peer: FLOOR, ratio, why },
  });
}
