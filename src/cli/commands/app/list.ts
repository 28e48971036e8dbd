import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler app list` */
export const appList: Command = {
  words: ["app", "list"],
  summary: "list the mini apps",
  description:
    `Lists the apps that are registered here: which version is installed, whether its backend runs, whether another
version lies ready in the source folder, and who may use it besides you.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler app list", does: "all apps" }],
  async run({ daemon, output }) {
    const apps = await daemon.apps();
    output.list("apps", apps, {
      columns: [
        { title: "APP" },
        { title: "VERSION" },
        { title: "READY" },
        { title: "STATE" },
        { title: "SHARED WITH", cut: true },
        { title: "DESCRIPTION", cut: true },
      ],
      cells: apps.map((app) => [
        app.name,
        app.version ?? "-",
        app.ready ?? "-",
        app.state,
        app.persons.filter((person) => person !== "owner").join(", ") || "-",
        app.description,
      ]),
      empty: "there are no apps yet; begin one with handler app new",
    });
    return EXIT.done;
  },
};
