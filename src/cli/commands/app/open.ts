import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import type { Output } from "../../output.ts";
import { usage } from "../../parsed.ts";
import { thisDesk } from "../../window/desk.ts";
import { openWindow } from "../../window/open.ts";
import { type BrowserName, BROWSERS } from "../../window/window.ts";

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
    { name: "browser", value: "NAME", help: "firefox, chromium or default", completes: BROWSERS },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler app open notes", does: "its window" },
    { line: "handler app open notes --print", does: "a link for a browser of your choice" },
  ],
  async run({ daemon, output, parsed, folders, clock }) {
    const browser = parsed.value("browser");
    if (browser !== undefined && !isBrowser(browser)) {
      throw usage(parsed.command, `--browser is ${BROWSERS.join(", ")}, found ${JSON.stringify(browser)}`);
    }
    const app = parsed.arg("APP");
    const { url } = await daemon.appLink(app, parsed.value("person") ?? "owner");
    if (parsed.flag("print")) {
      output.data({ app, url }, () => url + "\n");
      return EXIT.done;
    }
    const opened = await openWindow(thisDesk(folders.data), { link: url, browser, now: clock.now() });
    output.data({ app, ...opened }, () => "");
    tell(output, app, opened.browser, opened.closed);
    return EXIT.done;
  },
};

function isBrowser(name: string): name is BrowserName {
  return BROWSERS.some((one) => one === name);
}

function tell(output: Output, app: string, browser: BrowserName, closed: boolean): void {
  output.note(`${app} is open in ${browser === "default" ? "your usual browser" : browser}`);
  if (!closed) {
    output.note("its pages can lead to other sites there; with Firefox or Chromium installed they cannot");
  }
}
