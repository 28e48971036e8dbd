import { type Command, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import { type Parsed, usage } from "../parsed.ts";
import { thisDesktop } from "../window/desktop.ts";
import { askedBrowser, BROWSER_OPTION, showWindow } from "../window/show.ts";

/** `handler open` */
export const open: Command = {
  words: ["open"],
  summary: "open Handler's page in a window",
  description:
    `Opens the desk, the page of everything that Handler does, in Firefox with a profile of its own, else in Chromium's
app mode, else in your usual browser. The profiles reach Handler's own addresses alone. The link is good for two minutes
and one use; --print gives it instead of opening a window, and so does a machine without a screen.`,
  args: [{ name: "PATH", takes: "optional", help: "where on the page to begin, such as /inbox" }],
  options: [
    { name: "print", help: "print the link only" },
    BROWSER_OPTION,
    JSON_OPTION,
  ],
  examples: [
    { line: "handler open", does: "the page, in a window" },
    { line: "handler open /inbox", does: "the inbox at once" },
    { line: "handler open --print", does: "a link for a browser of your choice" },
  ],
  async run(context) {
    const { daemon, output, parsed, folders } = context;
    const browser = askedBrowser(parsed);
    const path = pathOf(parsed);
    const link = await daemon.deskLink();
    const url = path === "/" ? link.url : link.url + path;
    const print = parsed.flag("print");
    if (print || !thisDesktop(folders.data).graphical) {
      output.data({ url }, () => url + "\n");
      if (!print) output.note("there is no screen here; the link opens the page once, within two minutes");
      return EXIT.done;
    }
    const opened = await showWindow("the page", url, browser, context);
    output.data({ ...opened }, () => "");
    return EXIT.done;
  },
};

/** A place on the page, as a URL writes it. */
function pathOf(parsed: Parsed): string {
  const given = parsed.optionalArg("PATH") ?? "/";
  const base = "http://localhost";
  const url = URL.canParse(given, base) ? new URL(given, base) : undefined;
  if (url?.origin === base) return url.pathname + url.search + url.hash;
  throw usage(parsed.command, `PATH is a place on the page, such as /inbox, found ${JSON.stringify(given)}`);
}
