import { HandlerError } from "../../base/mod.ts";
import { start } from "../../platform/mod.ts";
import { chromiumWindow } from "./chromium.ts";
import { defaultWindow } from "./default_browser.ts";
import type { Desktop } from "./desktop.ts";
import { firefoxWindow } from "./firefox.ts";
import { writeOpener } from "./opener.ts";
import type { BrowserName, Reach, Window } from "./window.ts";

/** A browser that cannot start says so within this; one that goes on shows the window. */
const WATCHED_MS = 700;

/** What is opened. */
export interface WindowRequest {
  /** The one-time link: `http://<app>.localhost:<port>/…#<token>`, or the desk's at `localhost` */
  readonly link: string;
  /** The browser that is asked for; undefined for the first that is there. */
  readonly browser: BrowserName | undefined;
  readonly now: number;
}

/** A window that was opened. */
export interface Opened {
  readonly browser: BrowserName;
  /** Whether it reaches nothing but Handler's own addresses. */
  readonly closed: boolean;
}

/**
 * Opens a window of an app or of the desk: Firefox with a profile of its own, else Chromium's app mode, else the usual browser (seed
 * `mini-apps.md` §5.1).
 *
 * @throws {HandlerError} `unavailable` where no browser is there or none starts
 */
export async function openWindow(desktop: Desktop, { link, browser, now }: WindowRequest): Promise<Opened> {
  if (!desktop.graphical) throw unopened("there is no desktop here");
  const window = await find(desktop, reachOf(link), browser);
  if (!window) {
    throw unopened(browser === undefined ? "there is no browser" : `there is no ${browser} browser`);
  }
  await window.prepare();
  const address = window.opener === undefined ? link : await writeOpener(window.opener, link, now);
  await launch(window.browser, window.argv(address));
  return { browser: window.browser, closed: window.closed };
}

function reachOf(link: string): Reach {
  const { port, hostname } = new URL(link);
  return { port: Number(port), desk: hostname === "localhost" };
}

async function find(
  desktop: Desktop,
  reach: Reach,
  browser: BrowserName | undefined,
): Promise<Window | undefined> {
  const makers = { firefox: firefoxWindow, chromium: chromiumWindow, default: defaultWindow };
  if (browser !== undefined) return await makers[browser](desktop, reach);
  return await firefoxWindow(desktop, reach) ?? await chromiumWindow(desktop, reach) ??
    await defaultWindow(desktop);
}

/** Starts a program that outlives this one. */
async function launch(browser: BrowserName, argv: readonly string[]): Promise<void> {
  const child = start(argv, { inheritEnv: true, stdin: "null", stdout: "null", stderr: "null" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const goesOn = new Promise<undefined>((resolve) =>
    timer = setTimeout(() => resolve(undefined), WATCHED_MS)
  );
  const ended = await Promise.race([child.status, goesOn]);
  clearTimeout(timer);
  child.unref();
  if (ended !== undefined && ended.code !== 0) {
    throw unopened(`the ${browser} browser ended with ${ended.code}`);
  }
}

function unopened(why: string): HandlerError {
  return new HandlerError("unavailable", `no window can be opened: ${why}`, {
    hint: "--print gives the link for a browser of your choice",
  });
}
