import { HandlerError } from "../../base/mod.ts";
import type { DoctorCheck } from "../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../command.ts";
import { localChecks } from "../doctor/local_checks.ts";
import { EXIT } from "../exit.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../text.ts";

/** `handler doctor` */
export const doctor: Command = {
  words: ["doctor"],
  summary: "find what keeps Handler from working here",
  description:
    `Checks the folders, the socket, the programs that sandboxes need and, where it runs, the daemon with its sandbox
driver: what works, what does not, what the driver cannot stop, and what to do. Works without the daemon as far as it
can. The exit code is 1 where a check failed.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler doctor", does: "all checks" }],
  async run(context) {
    const own = await localChecks(context.folders);
    const known = new Set(own.map(({ name }) => name)); // the daemon looks at some of the same things
    const checks = [...own, ...(await daemonChecks(context)).filter(({ name }) => !known.has(name))];
    context.output.data({ checks }, () => checks.map((check) => checkText(check, context.output)).join(""));
    return checks.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.done;
  },
};

async function daemonChecks({ daemon }: Context): Promise<readonly DoctorCheck[]> {
  try {
    const { version, pid } = await daemon.status();
    const runs: DoctorCheck = {
      name: "daemon",
      state: "ok",
      detail: `handlerd ${version}, process ${pid}`,
      hint: null,
    };
    return [runs, ...await daemon.doctor()];
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    const away = error.kind === "unreachable";
    return [{
      name: "daemon",
      state: away ? "warning" : "failed",
      detail: away ? "handlerd does not run, so its part is not checked" : error.message,
      hint: error.hint ?? null,
    }];
  }
}

const MARKS = {
  ok: ["green", "ok     "],
  warning: ["yellow", "warning"],
  failed: ["red", "failed "],
} as const;

function checkText({ name, state, detail, hint }: DoctorCheck, output: Output): string {
  const [style, mark] = MARKS[state];
  const line = `${output.style(style, mark)}  ${oneLine(name)}: ${oneLine(detail)}\n`;
  return hint === null ? line : `${line}         ${oneLine(hint)}\n`;
}
