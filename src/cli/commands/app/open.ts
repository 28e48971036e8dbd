import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { askedBrowser, BROWSER_OPTION, showWindow } from "../../window/show.ts";

/** `handler app open` */
export const appOpen: Command = {
  words: ["app", "open"],
  summary: "open an app's window",
  description:
    `Opens an app in Firefox with a profile of its own, else in Chromium's app mode, else in your usual browser. The
profiles reach apps alone: no other host, no peer connections. The link is good for two minutes and one use; --print
gives it instead of opening a window.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [
    { name: "print", help: "print the link only" },
    { name: "person", value: "NAME", help: "for this person; you by default", completes: "person" },
    BROWSER_OPTION,
    JSON_OPTION,
  ],
  examples: [
    { line: "handler app open notes", does: "its window" },
    { line: "handler app open notes --print", does: "a link for a browser of your choice" },
  ],
  async run(context) {
    const { daemon, output, parsed } = context;
    const browser = askedBrowser(parsed);
    const app = parsed.arg("APP");
    const { url } = await daemon.appLink(app, parsed.value("person") ?? "owner");
    if (parsed.flag("print")) {
      output.data({ app, url }, () => url + "\n");
      return EXIT.done;
    }
    const opened = await showWindow(app, url, browser, context);
    output.data({ app, ...opened }, () => "");
    return EXIT.done;
  },
};
