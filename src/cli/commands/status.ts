import type { Status } from "../../client/mod.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import type { Output } from "../output.ts";
import { pairs } from "../table.ts";
import { count, plain } from "../text.ts";
import { bytes, duration } from "../time.ts";

/** `handler status` */
export const status: Command = {
  words: ["status"],
  summary: "say how the daemon stands",
  description: `Shows the daemon's version and process, the sandbox driver that was chosen and why, how many
interfaces, connectors, bindings and agents there are, where the page is, which connectors run, and what is wrong with the
configuration on disk. A configuration with problems is not in force: the last good one is.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler status", does: "how everything stands" }],
  async run({ daemon, output, clock }) {
    const now = await daemon.status();
    output.data({ ...now }, () => statusText(now, clock.now(), output));
    return EXIT.done;
  },
};

function threadsText({ running, awaiting }: Status["threads"]): string {
  const parts = [
    ...(running > 0 ? [`${running} at work`] : []),
    ...(awaiting > 0 ? [`${awaiting} ${awaiting === 1 ? "waits" : "wait"} for a person`] : []),
  ];
  return parts.join(", ") || "none at work";
}

function statusText(now: Status, at: number, output: Output): string {
  const { sandbox } = now;
  const rows: [string, string][] = [
    [
      "handlerd",
      `${now.version} runs, process ${now.pid}, since ${duration(Math.max(0, at - now.startedAt))}`,
    ],
    ["sandbox", `${sandbox.driver}: ${sandbox.why}`],
    ...sandbox.notStopped.map((what): [string, string] => ["", `does not stop: ${what}`]),
    ["services", `${count(now.interfaces, "interface")}, ${count(now.connectors, "connector")}`],
    [
      "set up",
      `${count(now.bindings, "binding")}, ${count(now.agents, "agent")}, ${count(now.sessions, "session")}`,
    ],
    ["threads", threadsText(now.threads)],
    ["page", now.desk.problem === null ? now.desk.url : `not served: ${now.desk.problem}`],
    ["memory", bytes(now.memoryBytes)],
    ...now.running.map((one): [string, string] => [
      "running",
      `${one.binding} (${one.connector}): ${one.state}, ${count(one.inFlight, "call")} under way` +
      (one.lastFailure ? `, last failure: ${one.lastFailure}` : ""),
    ]),
  ];
  const problems = now.problems.map(({ where, message, hint }) =>
    output.style("red", "problem") + plain(`  ${where}: ${message}${hint ? ` (${hint})` : ""}\n`)
  );
  return plain(pairs(rows)) + problems.join("");
}
