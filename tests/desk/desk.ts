/// <reference lib="dom" />
/**
 * The page in a real browser before a real daemon.
 * @module
 */
import assert from "node:assert/strict";
import type { Browser, ElementHandle, Page } from "puppeteer-core";
import type { BrowserName } from "../apps/attacks/attack.ts";
import { within } from "../../src/base/mod.ts";
import { closeBrowser, launch } from "../apps/attacks/browser.ts";
import { type HomeOptions, layHome, type SystemHome } from "../system/home.ts";

/** How long something may take to be seen; a busy machine is slow. */
const PATIENCE_MS = 30_000;

/** How long one test may take in one browser, and its start and end besides. */
export const LIMIT_MS = 4 * 60_000;
const END_MS = 90_000;

/** What is thrown where the browser itself answers nothing more. */
const HANGS = /protocolTimeout|Timed out after|the whole test took more than/;

/** How often something is looked for; by frames, as it is otherwise, a window behind another one finds nothing. */
const POLLING = { polling: 50 };

/** Browsers write of each answer with an error's status and of connections that end, which is no fault of the page's. */
const NO_COMPLAINT =
  /status of [45]\d\d|EventSource|ERR_|NetworkError|establish a connection|interrupted|favicon/i;

/** Both browsers that the page is made for. */
export const BROWSERS: readonly BrowserName[] = ["chromium", "firefox"];

/** A daemon whose page is served, and the browsers that look at it. */
export class Desk implements AsyncDisposable {
  readonly home: SystemHome;
  readonly #browsers: Browser[] = [];

  private constructor(home: SystemHome) {
    this.home = home;
  }

  /** Lays a home, changes it where wanted, and starts its daemon on a free port. */
  static async start(
    options: HomeOptions = {},
    lay: (home: SystemHome) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Desk> {
    const home = await layHome(options);
    home.env.HANDLER_PORT = "0";
    try {
      await lay(home);
      await home.start();
      return new Desk(home);
    } catch (error) {
      await home[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A browser of its own, signed in and at the page's home. */
  async visit(name: BrowserName): Promise<Visit> {
    const { url } = await this.home.client.deskLink();
    const browser = await launch(name, "plain", Number(new URL(url).port), this.home.path);
    this.#browsers.push(browser);
    return await Visit.open(browser, url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#browsers.map(closeBrowser));
    await this.home[Symbol.asyncDispose]();
  }
}

/** A window of the page, and what a person does in it. */
export class Visit {
  readonly page: Page;
  readonly origin: string;
  /** What the browser complained of: errors of scripts, what the policy refused. */
  readonly complaints: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => this.#complain(String(error)));
    page.on("console", (message) => message.type() === "error" && this.#complain(message.text()));
  }

  #complain(text: string): void {
    if (!NO_COMPLAINT.test(text)) this.complaints.push(text);
  }

  /** Opens a window with a one-time link. */
  static async open(browser: Browser, link: string): Promise<Visit> {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    const visit = new Visit(page, new URL(link).origin);
    await page.goto(link);
    // the link's own page goes on to the desk's, whenever the cookie is there
    await visit.see("h1").catch(() => visit.see("h1"));
    await visit.see("nav");
    return visit;
  }

  /** Puts this window before the others of its browser, which are hidden from then on. */
  async front(): Promise<this> {
    await this.page.bringToFront();
    return this;
  }

  /** A second window of the same browser, before the first. */
  async another(): Promise<Visit> {
    const page = await this.page.browser().newPage();
    await page.setViewport({ width: 1440, height: 900 });
    const visit = new Visit(page, this.origin);
    await visit.go("/");
    return visit;
  }

  /** Loads a path of the page. */
  async go(path: string): Promise<void> {
    await this.page.goto(this.origin + path);
    await this.see("h1");
  }

  /** Waits until nothing of the view is still being asked for. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() =>
      !document.querySelector("main [role=status] .spoken, main [aria-busy=true]")
    );
  }

  /** Brings every colour that is on its way to another to its end. */
  async still(): Promise<void> {
    await this.page.evaluate(() => {
      for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
    });
  }

  /** Waits for an element that is shown. */
  async see(selector: string): Promise<ElementHandle> {
    const found = await this.page.waitForSelector(selector, { visible: true }).catch(async (error) => {
      throw new Error(`${selector} was not seen; the page says:\n${await this.text()}`, { cause: error });
    });
    assert.ok(found);
    return found;
  }

  /** Waits until the page says something, anywhere. */
  async read(text: string | RegExp): Promise<void> {
    const wanted = text instanceof RegExp ? text : undefined;
    const [source, flags] = [wanted?.source ?? "", wanted?.flags ?? ""];
    await this.page.waitForFunction(
      (plain, source, flags) => {
        const said = document.body.innerText;
        return plain === null ? new RegExp(source, flags).test(said) : said.includes(plain);
      },
      POLLING,
      wanted ? null : text as string,
      source,
      flags,
    ).catch(async (error) => {
      throw new Error(`${text} was not read; the page says:\n${await this.text()}`, { cause: error });
    });
  }

  /** Waits until nothing of the page says this any more. */
  async unread(text: string): Promise<void> {
    await this.page.waitForFunction((text) => !document.body.innerText.includes(text), POLLING, text);
  }

  /** All that the page says now. */
  text(): Promise<string> {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** Presses what has this role and accessible name: a button, else a link. */
  async press(name: string, role: "button" | "link" | "any" = "any"): Promise<void> {
    await this.#on(name, PRESSABLE[role], async (element) => {
      await element.evaluate((one) => (one as HTMLElement).scrollIntoView({ block: "center" }));
      await element.click();
    });
  }

  /** Moves the focus on, by keys alone, until it is on what has this name. */
  async tabTo(name: string, tag?: "button" | "a"): Promise<void> {
    const passed: string[] = [];
    for (let steps = 0; steps < 150; steps++) {
      await this.page.keyboard.press("Tab");
      const at = await this.page.evaluate((tag) => {
        const one = document.activeElement;
        if (tag !== undefined && one?.tagName.toLowerCase() !== tag) return "";
        const labels = [...(one as HTMLInputElement | null)?.labels ?? []].map((label) => label.textContent);
        const text = one?.getAttribute("aria-label") ?? (labels.join(" ") || one?.textContent);
        return (text ?? "").replace(/\s+/g, " ").trim();
      }, tag);
      if (at.startsWith(name)) return;
      passed.push(at);
    }
    throw new Error(`Tab never came to ${name}, only to ${[...new Set(passed)].join(", ")}`);
  }

  /** Writes into the control with this label, in place of what stands there. */
  async fill(label: string, value: string): Promise<void> {
    await this.#on(label, "input, textarea", async (element) => {
      await element.evaluate((one) => (one as HTMLInputElement).select());
      await element.type(value === "" ? " " : value);
    });
    if (value === "") await this.page.keyboard.press("Backspace");
  }

  /** Chooses an option, by what it says, of the list with this label. */
  async choose(label: string, option: string): Promise<void> {
    await this.#on(label, "select", async (element) => {
      const value = await element.evaluate(
        (one, option) =>
          Array.from((one as HTMLSelectElement).options).find(({ text }) => text.includes(option))?.value,
        option,
      );
      assert.ok(value !== undefined, `${label} has no option ${option}`);
      await element.select(value);
    });
  }

  /** Gives a file to the control with this label. */
  async give(label: string, ...paths: string[]): Promise<void> {
    const element = await this.#named(label, "input[type=file]", false);
    await (element as ElementHandle<HTMLInputElement>).uploadFile(...paths);
  }

  /** Does something with what has a name; as a person would, with what stands there now where it was replaced meanwhile. */
  async #on(name: string, selector: string, act: (element: ElementHandle) => Promise<void>): Promise<void> {
    const element = await this.#named(name, selector);
    try {
      await act(element);
    } catch (error) {
      if (!/detached|no such node|stale/i.test(String(error))) throw error;
      await act(await this.#named(name, selector));
    }
  }

  /** Waits for an element with an accessible name, by the label, its own words, or what names it. */
  async #named(name: string, selector: string, visible = true): Promise<ElementHandle> {
    const handle = await this.page.waitForFunction(
      (name, selector, visible) => {
        const clean = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
        const nameOf = (one: Element) => {
          const by = one.getAttribute("aria-labelledby")?.split(" ").map((id) => document.getElementById(id));
          const labels = [...(one as HTMLInputElement).labels ?? []];
          return clean(one.getAttribute("aria-label")) ||
            clean(by?.map((each) => each?.textContent).join(" ")) ||
            clean(labels.map((label) => label.textContent).join(" ").replace("*", "")) ||
            clean(one.textContent) ||
            clean(one.getAttribute("title"));
        };
        const usable = [...document.querySelectorAll(selector)].filter((one) =>
          !visible || (one.checkVisibility() && !(one as HTMLButtonElement).disabled)
        );
        // what is in an open dialog comes first: all else cannot be reached
        const open = [...document.querySelectorAll("dialog[open]")].at(-1);
        const reachable = open ? usable.filter((one) => open.contains(one)) : usable;
        return reachable.find((one) => nameOf(one) === name) ??
          reachable.find((one) => nameOf(one).startsWith(name)) ??
          false;
      },
      POLLING,
      name,
      selector,
      visible,
    ).catch(async (error) => {
      throw new Error(`nothing is called ${name}; the page says:\n${await this.text()}`, { cause: error });
    });
    return handle as ElementHandle;
  }
}

const PRESSABLE = {
  button: "button, [role=button], [role=option], [role=treeitem], summary",
  link: "a[href]",
  any:
    "button, a[href], [role=button], [role=option], [role=treeitem], summary, input[type=checkbox], input[type=radio]",
} as const;

/**
 * A test of the page in both browsers, each with a home of its own; whatever a browser complains of fails it. A browser
 * that answers nothing more is no fault of the page's, unless the next one does the same.
 */
export function deskTest(
  name: string,
  options: HomeOptions & { readonly lay?: (home: SystemHome) => Promise<unknown> },
  work: (visit: Visit, desk: Desk) => Promise<void>,
): void {
  for (const browser of BROWSERS) {
    Deno.test(`${name} (${browser})`, { sanitizeOps: false, sanitizeResources: false }, async () => {
      const attempt = async () => {
        await using desk = await Desk.start(options, options.lay);
        const visit = await desk.visit(browser);
        await within(LIMIT_MS, "the whole test", work(visit, desk));
        assert.deepEqual(visit.complaints, []);
      };
      const bounded = () => within(LIMIT_MS + END_MS, "the test with its start and end", attempt());
      await bounded().catch((error) => {
        if (!HANGS.test(String(error))) throw error;
        console.log(`${browser} stopped answering (${error}); once more`);
        return bounded();
      });
    });
  }
}
