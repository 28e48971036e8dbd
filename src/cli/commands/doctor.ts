import type { DoctorCheck } from "../../client/mod.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../text.ts";

/** `handler doctor` */
export const doctor: Command = {
  words: ["doctor"],
  summary: "find what keeps Handler from working here",
  description:
    `Says within ten seconds what works on this machine and how to make the rest work: sandbox drivers, each by
starting something in it, and what they do not stop; the port, folders, disk, clock, Deno, engines, the desktop, who keeps
handlerd up. Where handlerd runs it looks itself, and tells of connectors, bindings, models and threads too. What takes
too long is told as such. The exit code is 1 where a check failed.`,
  args: [],
  options: [JSON_OPTION],
  examples: [
    { line: "handler doctor", does: "all checks" },
    { line: "handler doctor --json | jq -r '.checks[] | select(.state!=\"ok\").hint'", does: "what to do" },
  ],
  async run(context) {
    const { allChecks } = await import("../doctor/checks.ts");
    const checks = await allChecks(context);
    context.output.data({ checks }, () => checks.map((check) => checkText(check, context.output)).join(""));
    return checks.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.done;
  },
};

const MARKS = {
  ok: ["green", "ok     "],
  warning: ["yellow", "warning"],
  failed: ["red", "failed "],
  late: ["yellow", "late   "],
} as const;

function checkText({ name, state, detail, hint }: DoctorCheck, output: Output): string {
  const [style, mark] = MARKS[state];
  const line = `${output.style(style, mark)}  ${oneLine(name)}: ${oneLine(detail)}\n`;
  return hint === null ? line : `${line}         ${oneLine(hint)}\n`;
}
