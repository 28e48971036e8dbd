/**
 * The threads' bench: what a handler's turn takes, beside bare SQLite and other durable engines.
 * @module
 */
import { temporaryFolder } from "../../src/platform/mod.ts";
import { prepare } from "../../tools/prepare.ts";
import { ROOT } from "../../tools/repository.ts";
import type { Row } from "../report.ts";
import { first, idle, long } from "./rest.ts";
import { type RowName, ROWS, unmeasured } from "./rows.ts";
import type { Section } from "./section.ts";
import { turns } from "./turns.ts";

const SECTIONS: readonly Section[] = [turns, first, long, idle];

/** What the command line says. */
export interface ThreadsOptions {
  readonly quick: boolean;
  readonly only: readonly string[];
  readonly peers: "none" | "small" | "all";
  say(line: string): void;
}

/** The names of all rows. */
export const THREADS_ROWS: readonly string[] = Object.keys(ROWS);

/** Measures, section by section; a section that fails becomes rows that say why. */
export async function* benchThreads(options: ThreadsOptions): AsyncGenerator<Row> {
  const { quick, only, say } = options;
  const root = await temporaryFolder();
  try {
    await prepare({ root: ROOT, say });
    const wanted = (...rows: readonly RowName[]) =>
      only.length === 0 || rows.some((row) => only.includes(row));
    const context = { root, quick, peers: options.peers !== "none", wanted, say };
    for (const section of SECTIONS.filter(({ rows }) => wanted(...rows))) {
      const figures = await section.measure(context).catch((error) => {
        const why = error instanceof Error ? error.stack ?? error.message : String(error);
        return section.rows.map((row) => unmeasured(row, why));
      });
      for (const figure of figures) {
        if (only.length === 0 || only.includes(figure.row)) yield { bench: "threads", ...figure };
      }
    }
  } finally {
    await Deno.remove(root, { recursive: true }).catch(() => {});
  }
}
