import type { RollbackPlan } from "../../../client/mod.ts";
import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { confirm, YES_OPTION } from "../../confirm.ts";
import { EXIT } from "../../exit.ts";
import { count, plain } from "../../text.ts";

/** `handler app rollback` */
export const appRollback: Command = {
  words: ["app", "rollback"],
  summary: "go back to the version before, with its data",
  description:
    `Brings back the very files that ran before the last deploy and the data of that time. What was written since is
lost to the app, so the rows are counted and told first; the data of now is kept as a backup that
\`handler app restore\` brings back.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [YES_OPTION, { name: "plan", help: "say what would be lost, and do nothing" }, JSON_OPTION],
  examples: [
    { line: "handler app rollback notes", does: "yesterday's version and data" },
    { line: "handler app rollback notes --plan", does: "what that would lose" },
  ],
  async run(context) {
    const { daemon, output, parsed } = context;
    const name = parsed.arg("APP");
    const plan = await daemon.appRollbackPlan(name);
    if (parsed.flag("plan")) {
      output.data({ plan }, () => planText(plan));
      return EXIT.done;
    }
    output.note(planText(plan).trimEnd());
    confirm(context, {
      text: `Roll ${name} back?`,
      about: `whether ${name} may be rolled back`,
      hint: "read what would be lost, then use --yes",
    });
    const { app, kept } = await daemon.appRollback(name);
    output.data({ plan, app, kept }, () => appText(app));
    output.note(`the data of before is kept; handler app restore ${name} ${kept} brings it back`);
    output.next(`handler app open ${name}`);
    return EXIT.done;
  },
};

function planText({ app, from, to, lostRows, uncounted }: RollbackPlan): string {
  const rows = lostRows.map(({ table, rows }) => `${count(rows, "row")} of ${table}`);
  const known = rows.length === 0
    ? "nothing was written since, so no rows are lost"
    : `written since and lost to it: ${rows.join(", ")}`;
  const lost = uncounted === null ? known : `what is lost to it could not be counted: ${uncounted}`;
  return plain(`${app} goes back from ${from} to ${to}\n${lost}\n`);
}
