import type { Context } from "../command.ts";
import type { Output } from "../output.ts";
import { usage } from "../parsed.ts";
import { thisDesktop } from "./desktop.ts";
import { type Opened, openWindow } from "./open.ts";
import { type BrowserName, BROWSERS } from "./window.ts";

/** The option of every command that opens a window. */
export const BROWSER_OPTION = {
  name: "browser",
  value: "NAME",
  help: "firefox, chromium or default",
  completes: BROWSERS,
} as const;

/** The browser that a command line asks for; undefined for the first that is there. */
export function askedBrowser(parsed: Context["parsed"]): BrowserName | undefined {
  const name = parsed.value(BROWSER_OPTION.name);
  const browser = BROWSERS.find((one) => one === name);
  if (name === undefined || browser !== undefined) return browser;
  throw usage(parsed.command, `--browser is ${BROWSERS.join(", ")}, found ${JSON.stringify(name)}`);
}

/** Opens a window for a link and says so. @param what as a person calls what is in it */
export async function showWindow(
  what: string,
  link: string,
  browser: BrowserName | undefined,
  { output, folders, clock }: Pick<Context, "output" | "folders" | "clock">,
): Promise<Opened> {
  const opened = await openWindow(thisDesktop(folders.data), { link, browser, now: clock.now() });
  tell(output, what, opened);
  return opened;
}

function tell(output: Output, what: string, { browser, closed }: Opened): void {
  output.note(`${what} is open in ${browser === "default" ? "your usual browser" : browser}`);
  if (!closed) {
    output.note("its pages can lead to other sites there; with Firefox or Chromium installed they cannot");
  }
}
