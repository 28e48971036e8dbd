/// <reference lib="dom" />
import { shellAgent } from "../../tests/system/home.ts";
import { framesOf } from "./frames.ts";
import { measured } from "./rows.ts";
import type { Section } from "./section.ts";

/** A hundred lines ten times a second. */
const TALKER = "n=0; while [ $n -lt 150 ]; do seq $((n*100+1)) $((n*100+100)); n=$((n+1)); sleep 0.1; done";

/** A session that writes 1,000 lines a second, its log open in Chromium. */
export const liveLog: Section = {
  rows: ["live-log"],
  async measure({ desk, quick, say }) {
    say("a log of 1,000 lines a second");
    await desk.home.write("agents/talker.toml", shellAgent(TALKER, ""));
    await desk.home.client.reload();
    const visit = await desk.visit("chromium");
    const { id } = await desk.home.client.run("talker", null);
    await visit.go(`/sessions/${id}`);
    await visit.read("100");
    const { longest, perSecond } = await framesOf(visit.page, quick ? 2000 : 8000);
    const shown = await visit.page.evaluate(() =>
      [...document.querySelectorAll("[role=log] .line")].at(-1)?.textContent
    );
    await desk.home.client.sessionStop(id);
    const why = `${Math.round(perSecond)} frames a second, line ${shown} seen at the end`;
    return [measured("live-log", Math.round(longest), longest <= 200, { why })];
  },
};
