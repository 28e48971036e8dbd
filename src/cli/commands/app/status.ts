import type { AppView } from "../../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { plain } from "../../text.ts";
import { bytes } from "../../time.ts";

/** How many lines of its log tell why an app fails. */
const LINES = 8;

/** `handler app status` */
export const appStatus: Command = {
  words: ["app", "status"],
  summary: "show how apps' backends stand",
  description:
    `Shows whether an app's backend runs, of all apps where none is named. A backend is started by the first call of
its page and sleeps again when nobody uses it. Where one fails, the end of its log is told on stderr and the exit code
is 1.`,
  args: [{ name: "APP", takes: "optional", help: "its name", completes: "app" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app status notes", does: "whether it runs" }],
  async run(context) {
    const { daemon, output, parsed } = context;
    const name = parsed.optionalArg("APP");
    const apps = name === undefined ? await daemon.apps() : [await daemon.app(name)];
    output.list("apps", apps, {
      columns: [
        { title: "APP" },
        { title: "STATE" },
        { title: "VERSION" },
        { title: "DATA", align: "right" },
        { title: "ADDRESS" },
      ],
      cells: apps.map((app) => [app.name, app.state, app.version ?? "-", bytes(app.dataBytes), app.url]),
      empty: "there are no apps yet; begin one with handler app new",
    });
    const failing = apps.filter(({ state }) => state === "failing");
    for (const app of failing) await tellWhy(context, app);
    return failing.length > 0 ? EXIT.failed : EXIT.done;
  },
};

async function tellWhy({ daemon, output }: Context, { name }: AppView): Promise<void> {
  const lines = (await daemon.appLog(name)).trimEnd().split("\n").slice(-LINES);
  output.note(plain([`the end of the log of ${name}:`, ...lines.map((line) => `  ${line}`)].join("\n")));
}
