import { HandlerError } from "../base/mod.ts";
import type { Context } from "./command.ts";

/** What a person is asked before something is done. */
export interface Question {
  /** `Deploy notes?` */
  readonly text: string;
  /** What nobody can be asked about, where there is no terminal: `whether notes may be deployed`. */
  readonly about: string;
  /** What answers it on the command line. */
  readonly hint: string;
}

/**
 * Asks a person for a yes; `--yes` is one.
 * @throws {HandlerError} `usage` where nobody can be asked, `denied` for any other answer
 */
export function confirm({ parsed, terminal }: Context, { text, about, hint }: Question): void {
  if (parsed.flag("yes")) return;
  if (!terminal.interactive) throw new HandlerError("usage", `nobody can be asked ${about}`, { hint });
  const answer = terminal.ask(`${text} [y/N]`);
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) throw new HandlerError("denied", "nothing was done");
}

/** The option that {@linkcode confirm} takes for a yes. */
export const YES_OPTION = { name: "yes", short: "y", help: "do it without asking" } as const;
