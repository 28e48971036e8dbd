/**
 * The page's bench: how much of it comes at first, when it can be used, whether long lists and live logs stay smooth.
 * @module
 */
import { Desk } from "../../tests/desk/desk.ts";
import { furnish } from "../../tests/desk/furnished.ts";
import { prepare } from "../../tools/prepare.ts";
import { ROOT } from "../../tools/repository.ts";
import type { Row } from "../report.ts";
import { fillCalls } from "./fill.ts";
import { firstView } from "./first_view.ts";
import { liveLog } from "./live_log.ts";
import { ROWS, unmeasured } from "./rows.ts";
import { scroll } from "./scroll.ts";
import type { Section } from "./section.ts";

const SECTIONS: readonly Section[] = [firstView, scroll, liveLog];

/** What the command line says. */
export interface UiOptions {
  readonly quick: boolean;
  readonly only: readonly string[];
  say(line: string): void;
}

/** The names of all rows. */
export const UI_ROWS: readonly string[] = Object.keys(ROWS);

/** Measures in real browsers, section by section; a section that fails becomes rows that say why. */
export async function* benchUi({ quick, only, say }: UiOptions): AsyncGenerator<Row> {
  const isWanted = (row: string) => only.length === 0 || only.includes(row);
  await prepare({ root: ROOT, say });
  await using desk = await Desk.start({}, (home) => fillCalls(home, quick ? 1_000 : 10_000));
  await furnish(desk.home);
  for (const section of SECTIONS.filter(({ rows }) => rows.some(isWanted))) {
    const figures = await section.measure({ desk, quick, say }).catch((error) => {
      const why = error instanceof Error ? error.stack ?? error.message : String(error);
      return section.rows.map((row) => unmeasured(row, why));
    });
    for (const figure of figures) if (isWanted(figure.row)) yield { bench: "ui", ...figure };
  }
}
