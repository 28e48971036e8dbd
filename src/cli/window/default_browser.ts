import { type Desk, firstProgram } from "./desk.ts";
import type { Window } from "./window.ts";

/** A window or tab of the browser that the person uses otherwise; nothing of it is closed. */
export async function defaultWindow(desk: Desk): Promise<Window | undefined> {
  const program = await firstProgram(desk, desk.os === "darwin" ? ["open"] : ["xdg-open"]);
  return program === undefined ? undefined : {
    browser: "default",
    closed: false,
    opener: undefined,
    prepare: () => Promise.resolve(),
    argv: (url) => [program, url],
  };
}
