/**
 * The apps' bench: how soon a sleeping app answers, what handlerd adds to a call, how long deploys take.
 * @module
 */
import { statIfThere, temporaryFolder } from "../../src/platform/mod.ts";
import { prepare } from "../../tools/prepare.ts";
import { ROOT } from "../../tools/repository.ts";
import type { Row } from "../report.ts";
import { type HandlerProgram, SOURCE } from "../router/daemon.ts";
import { calls } from "./calls.ts";
import { deploys } from "./deploys.ts";
import { many } from "./many.ts";
import { type RowName, ROWS, unmeasured } from "./rows.ts";
import type { Section } from "./section.ts";
import { wake } from "./wake.ts";

const SECTIONS: readonly Section[] = [wake, calls, deploys, many];

/** What the command line says. */
export interface AppsOptions {
  readonly quick: boolean;
  readonly only: readonly string[];
  /** A compiled handlerd to measure in place of the source. */
  readonly program: string | undefined;
  say(line: string): void;
}

/** The names of all rows. */
export const APPS_ROWS: readonly string[] = Object.keys(ROWS);

/** Measures, section by section; a section that fails becomes rows that say why. */
export async function* benchApps(options: AppsOptions): AsyncGenerator<Row> {
  const { quick, only, say } = options;
  const root = await temporaryFolder();
  try {
    await prepare({ root: ROOT, say });
    const program = await chosenProgram(options.program);
    const wanted = (...rows: readonly RowName[]) =>
      only.length === 0 || rows.some((row) => only.includes(row));
    const context = { root, quick, program, wanted, say };
    for (const section of SECTIONS.filter(({ rows }) => wanted(...rows))) {
      const figures = await section.measure(context).catch((error) => {
        const why = error instanceof Error ? error.stack ?? error.message : String(error);
        return section.rows.map((row) => unmeasured(row, why));
      });
      for (const figure of figures) {
        if (only.length === 0 || only.includes(figure.row)) yield { bench: "apps", ...figure };
      }
    }
  } finally {
    await Deno.remove(root, { recursive: true }).catch(() => {});
  }
}

async function chosenProgram(path: string | undefined): Promise<HandlerProgram> {
  if (path === undefined) return SOURCE;
  if (!await statIfThere(path)) throw new Error(`there is no program at ${path}`);
  return { kind: "compiled", argv: [path] };
}
