/**
 * The router's bench: what handlerd adds to a call, beside a process that only copies bytes and other gateways.
 * @module
 */
import { statIfThere, temporaryFolder } from "../../src/platform/mod.ts";
import { prepare } from "../../tools/prepare.ts";
import { ROOT } from "../../tools/repository.ts";
import type { Row } from "../report.ts";
import { agentWay } from "./agent_way.ts";
import { coldStart } from "./cold_start.ts";
import { type HandlerProgram, quickDriver, SOURCE } from "./daemon.ts";
import { fileMemory } from "./file_memory.ts";
import { ocr } from "./ocr.ts";
import { type RowName, ROWS, unmeasured } from "./rows.ts";
import type { Context, Section } from "./section.ts";
import { start } from "./start.ts";
import { ways } from "./ways.ts";

const SECTIONS: readonly Section[] = [ways, agentWay, fileMemory, start, coldStart, ocr];

/** What the command line says. */
export interface RouterOptions {
  readonly quick: boolean;
  readonly only: readonly string[];
  readonly peers: Context["peers"];
  /** A compiled handlerd to measure in place of the source. */
  readonly program: string | undefined;
  say(line: string): void;
}

/** The names of all rows. */
export const ROUTER_ROWS: readonly string[] = Object.keys(ROWS);

/** Measures, section by section; a section that fails becomes rows that say why. */
export async function* benchRouter(options: RouterOptions): AsyncGenerator<Row> {
  const { quick, peers, only, say } = options;
  const root = await temporaryFolder();
  try {
    await prepare({ root: ROOT, say });
    const program = await chosenProgram(options.program);
    const driver = await quickDriver();
    const wanted = (...rows: readonly RowName[]) =>
      only.length === 0 || rows.some((row) => only.includes(row));
    const context = { root, quick, peers, program, driver, wanted, say };
    for (const section of SECTIONS.filter(({ rows }) => wanted(...rows))) {
      for (const figure of await figures(section, context)) {
        if (only.length === 0 || only.includes(figure.row)) yield { bench: "router", ...figure };
      }
    }
  } finally {
    await Deno.remove(root, { recursive: true }).catch(() => {});
  }
}

async function figures(section: Section, context: Context): ReturnType<Section["measure"]> {
  try {
    return await section.measure(context);
  } catch (error) {
    const why = error instanceof Error ? error.stack ?? error.message : String(error);
    return section.rows.map((row) => unmeasured(row, why));
  }
}

async function chosenProgram(path: string | undefined): Promise<HandlerProgram> {
  if (path === undefined) return SOURCE;
  if (!await statIfThere(path)) throw new Error(`there is no program at ${path}`);
  return { kind: "compiled", argv: [path] };
}
