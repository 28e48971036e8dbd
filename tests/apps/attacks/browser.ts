import puppeteer, { type Browser } from "puppeteer-core";
import { chromiumWindow } from "../../../src/cli/window/chromium.ts";
import { firefoxWindow } from "../../../src/cli/window/firefox.ts";
import { within } from "../../../src/base/mod.ts";
import { findProgram } from "../../../src/platform/mod.ts";
import type { BrowserName } from "./attack.ts";

/** `plain` is a browser as it comes, `window` one as `handler app open` starts it. */
export type Profile = "plain" | "window";

const PROGRAMS: Readonly<Record<BrowserName, readonly string[]>> = {
  chromium: ["chromium", "chromium-browser", "google-chrome"],
  firefox: ["firefox-esr", "firefox"],
};

/** How long a browser may take to answer one command, and to close. */
const ANSWER_MS = 60_000;
const CLOSE_MS = 10_000;

/** Root has no sandbox for it, and a container little shared memory. */
const HEADLESS_FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"];

/** Where a browser is; undefined where it is not. */
export async function browserProgram(name: BrowserName): Promise<string | undefined> {
  for (const program of PROGRAMS[name]) {
    const found = await findProgram(program);
    if (found) return found;
  }
  return undefined;
}

/** Starts a browser without a screen, with a fresh profile; `port` is the one that the apps are served on. */
export async function launch(
  name: BrowserName,
  profile: Profile,
  port: number,
  folder: string,
): Promise<Browser> {
  const executablePath = await browserProgram(name);
  if (executablePath === undefined) throw new Error(`there is no ${name}`);
  const desk = {
    os: Deno.build.os,
    path: Deno.env.get("PATH") ?? "",
    home: folder,
    dataFolder: folder,
    graphical: true,
  };
  const common = {
    executablePath,
    headless: true,
    protocol: "webDriverBiDi",
    waitForInitialPage: false,
    protocolTimeout: ANSWER_MS,
    timeout: ANSWER_MS,
  } as const;
  if (name === "chromium") {
    const flags = profile === "plain"
      ? []
      : (await chromiumWindow(desk, { port, desk: false }))!.argv("about:blank").slice(2);
    const own = flags.filter((flag) => !flag.startsWith("--user-data-dir"));
    return await puppeteer.launch({ ...common, browser: "chrome", args: [...HEADLESS_FLAGS, ...own] });
  }
  const extraPrefsFirefox = profile === "plain" ? {} : await windowPreferences(desk, port);
  return await puppeteer.launch({ ...common, browser: "firefox", extraPrefsFirefox });
}

/** Ends a browser, one that does not answer any more too. */
export async function closeBrowser(browser: Browser): Promise<void> {
  await within(CLOSE_MS, "the browser's end", browser.close())
    .catch(() => void browser.process()?.kill("SIGKILL"));
}

async function windowPreferences(
  desk: Parameters<typeof firefoxWindow>[0],
  port: number,
): Promise<Record<string, unknown>> {
  const window = (await firefoxWindow(desk, { port, desk: false }))!;
  await window.prepare();
  const text = await Deno.readTextFile(`${desk.dataFolder}/window/firefox/user.js`);
  const lines = [...text.matchAll(/^user_pref\((".*?"), (.*)\);$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [JSON.parse(name!), JSON.parse(value!)]));
}
