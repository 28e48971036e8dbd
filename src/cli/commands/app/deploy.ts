import { HandlerError } from "../../../base/mod.ts";
import type { DeployPlan, DeployReport, DeployStep } from "../../../client/mod.ts";
import { problemsText } from "../../app_views.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { confirm, YES_OPTION } from "../../confirm.ts";
import { EXIT } from "../../exit.ts";
import type { Output } from "../../output.ts";
import { plain } from "../../text.ts";
import { duration } from "../../time.ts";

/** `handler app deploy` */
export const appDeploy: Command = {
  words: ["app", "deploy"],
  summary: "install the version in an app's source folder",
  description:
    `Takes a snapshot of the source folder, runs its tests in a sandbox, backs the data up, starts the new version on a
copy of the data so that its migrations are rehearsed there, and switches over. Whatever fails leaves the installed
version and its data as they were; the exit code is 1 then.

What the new version may do and the installed one may not is shown first and asked for. What was shown is what is
installed: --approve HASH answers for exactly that, as --json of a refused deploy prints it.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [
    YES_OPTION,
    { name: "approve", value: "HASH", help: "answer yes if what is asked for has this hash" },
    { name: "plan", help: "show what it would install and ask for, and do nothing" },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler app deploy notes", does: "after a change" },
    { line: "handler app deploy notes --yes --json", does: "in a script" },
  ],
  async run(context) {
    const { daemon, output, parsed, terminal } = context;
    const plan = await daemon.appPlan(parsed.arg("APP"));
    if (parsed.flag("plan") || plan.problems.length > 0) {
      output.data({ plan }, () => problemsText(plan.problems) + planText(plan));
      return plan.problems.length > 0 ? EXIT.failed : EXIT.done;
    }
    refuseUnsettled(plan);
    approve(context, plan);
    const report = await daemon.appDeploy(
      plan.app,
      plan.hash,
      (step) => tell(output, step, terminal.columns),
    );
    const { schema: _, ...data } = report;
    output.data(data, () => reportText(report, output));
    if (report.deployed) output.next(`handler app open ${plan.app}`);
    return report.deployed ? EXIT.done : EXIT.failed;
  },
};

function planText({ app, version, hash, newNeeds, unsettled }: DeployPlan): string {
  const needs = newNeeds.length === 0
    ? [`${app} ${version} asks for nothing new`]
    : [`${app} ${version} asks for:`, ...newNeeds.map((need) => `  + ${need}`)];
  return plain([...needs, ...unsettled.map((what) => `  ! ${what}`), `hash ${hash}`, ""].join("\n"));
}

function refuseUnsettled({ app, unsettled }: DeployPlan): void {
  if (unsettled.length === 0) return;
  throw new HandlerError("conflict", `the app ${app} cannot be deployed yet: ${unsettled.join("; ")}`, {
    hint: `settle it: handler app settle ${app} --help`,
  });
}

function approve(context: Context, plan: DeployPlan): void {
  const { parsed, output } = context;
  const approved = parsed.value("approve");
  if (approved !== undefined && approved !== plan.hash) {
    throw new HandlerError(
      "conflict",
      `what ${plan.app} asks for has the hash ${plan.hash}, not the one approved`,
      {
        hint: `look at it: handler app deploy ${plan.app} --plan`,
      },
    );
  }
  if (plan.newNeeds.length === 0 || approved !== undefined) return;
  output.note(planText(plan).trimEnd());
  confirm(context, {
    text: `Deploy ${plan.app} ${plan.version} with that?`,
    about: `whether ${plan.app} may do that`,
    hint: `read it, then use --yes or --approve ${plan.hash}`,
  });
}

/** One line for each step when it is over; on a terminal, where somebody waits, one when it begins too. */
function tell(output: Output, { step, state, ms, detail }: DeployStep, columns: number | undefined): void {
  if (state === "started") {
    if (columns !== undefined) output.note(output.style("dim", `${step} ...`));
    return;
  }
  const [first = ""] = detail.split("\n");
  const mark = state === "done" ? output.style("green", "done  ") : output.style("red", "failed");
  output.note(`${mark}  ${step.padEnd(8)}  ${plain(first)}  (${duration(ms)})`);
}

function reportText(report: DeployReport, output: Output): string {
  const { app, deployed, version, rehearsal, log } = report;
  if (!deployed) {
    const lines = plain(log).trimEnd().split("\n").map((line) => `  | ${line}\n`).join("");
    return `${lines}${app} was not deployed; the installed version and its data are as they were\n`;
  }
  const table = rehearsal.length === 0 ? "" : output.table(
    [{ title: "TABLE" }, { title: "ROWS BEFORE", align: "right" }, { title: "AFTER", align: "right" }],
    rehearsal.map(({ table, before, after }) => [table, String(before ?? "-"), String(after ?? "-")]),
  );
  return `${table}${app} ${version} is installed\n`;
}
