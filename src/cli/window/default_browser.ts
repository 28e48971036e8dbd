import { type Desktop, firstProgram } from "./desktop.ts";
import type { Window } from "./window.ts";

/** A window or tab of the browser that the person uses otherwise; nothing of it is closed. */
export async function defaultWindow(desktop: Desktop): Promise<Window | undefined> {
  const program = await firstProgram(desktop, desktop.os === "darwin" ? ["open"] : ["xdg-open"]);
  return program === undefined ? undefined : {
    browser: "default",
    closed: false,
    opener: undefined,
    prepare: () => Promise.resolve(),
    argv: (url) => [program, url],
  };
}
