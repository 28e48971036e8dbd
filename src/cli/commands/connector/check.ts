import type { CheckReport } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import type { Output } from "../../output.ts";
import { count, plain } from "../../text.ts";
import { duration } from "../../time.ts";

/** `handler connector check` */
export const connectorCheck: Command = {
  words: ["connector", "check"],
  summary: "run a connector's conformance cases",
  description:
    `Runs every case of every interface version that the connector implements, through the real router, with one of
its bindings. The result is kept, bound to the hashes of the interface, the connector and the binding: a change of
any of them makes it unproven. Each case is told on stderr when it is done. The exit code is 1 where one fails.`,
  args: [{ name: "CONNECTOR", takes: "one", help: "its name", completes: "connector" }],
  options: [
    {
      name: "binding",
      value: "NAME",
      help: "the binding to use; needed where it has several",
      completes: "binding",
    },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler connector check ocr-tesseract", does: "all its cases" },
    { line: "handler connector check ocr-mistral --binding ocr-mistral-perso", does: "with that key" },
  ],
  async run({ daemon, output, parsed, terminal }) {
    const report = await daemon.connectorCheck(
      parsed.arg("CONNECTOR"),
      parsed.value("binding") ?? null,
      (line) => output.note(plain(line)),
    );
    const { schema: _, ...data } = report;
    const told = terminal.columns !== undefined; // the same eyes have seen what passed
    output.data(data, () => reportText(report, output, told));
    return report.passed ? EXIT.done : EXIT.failed;
  },
};

function reportText(report: CheckReport, output: Output, failedOnly: boolean): string {
  const lines = report.interfaces.flatMap(({ id, cases, problems }) => [
    ...cases.filter(({ state }) => !failedOnly || state === "failed").flatMap((
      { name, state, ms, findings },
    ) => [
      `${mark(state, output)}  ${id}  ${plain(name)}  ${duration(ms)}`,
      ...findings.map((finding) => `        ${plain(finding)}`),
    ]),
    ...problems.map((problem) => `${mark("failed", output)}  ${id}  ${plain(problem)}`),
  ]);
  const cases = report.interfaces.flatMap((one) => one.cases);
  const passed = cases.filter(({ state }) => state === "passed").length;
  const end = `${report.connector} with ${report.binding}: ${report.passed ? "passed" : "failed"}, ` +
    `${passed} of ${count(cases.length, "case")} passed`;
  return [...lines, end].map((line) => line + "\n").join("");
}

function mark(state: "passed" | "failed", output: Output): string {
  return state === "passed" ? output.style("green", "passed") : output.style("red", "failed");
}
