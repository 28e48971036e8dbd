import { copyFile, start } from "../../src/platform/mod.ts";
import { scannedPdf } from "../../tests/connectors/scanned_pdf.ts";
import { ROOT } from "../../tools/repository.ts";
import { foreignCores, interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { Caller, type Pipe } from "./caller.ts";
import { type BenchDaemon, serviceCommand, startHandlerd } from "./daemon.ts";
import { layHome } from "./home.ts";
import { type PlainConnector, startPlain } from "./plain_connector.ts";
import { type Figure, measured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const ENGINE = `${ROOT}/build/connectors/ocr-tesseract/main.js`;
const PAGE = "ocr-page", PDF = "ocr-pdf-10";
const SCAN = `${ROOT}/interfaces/ocr/v1/conformance/invoice-scan.jpg`;

/** Cores that others took above this leave nothing to say of how the work spreads. */
const MOST_FOREIGN = 0.3;

/** The real engine: what everything around it costs, and what its cores bring. */
export const ocr: Section = {
  rows: [PAGE, PDF],
  async measure(context) {
    const root = `${context.root}/ocr`;
    const { folders, work } = await layHome(root, { wrapped: undefined });
    await Deno.writeFile(`${work}/page.pdf`, await scans(1));
    const pages = context.quick ? 2 : 10;
    await Deno.writeFile(`${work}/many.pdf`, await scans(pages));
    await using daemon = await startHandlerd(folders, context);
    await using agent = await agentOf(daemon, context);
    await using engine = await startPlain(`${root}/engine`, ["--no-config", ENGINE]);
    const staged = await stage(engine, `${work}/page.pdf`);
    const through = (file: string) => () => read(agent.caller, JSON.stringify({ path: `${work}/${file}` }));
    const page = through("page.pdf");
    const direct = () => read(engine.caller, staged);
    return [
      ...context.wanted(PAGE) ? [await onePage(page, direct, context)] : [],
      ...context.wanted(PDF) ? [await manyPages(page, through("many.pdf"), pages, context)] : [],
    ];
  },
};

async function scans(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const scan = { jpeg: await Deno.readFile(SCAN), width: 1684, height: 2361 };
  return scannedPdf(Array.from({ length: count }, () => ({ scan })));
}

interface Speaking extends AsyncDisposable {
  readonly caller: Caller;
}

/** An agent with `handler-service ocr` as its stdio server. */
async function agentOf(daemon: BenchDaemon, { program }: Context): Promise<Speaking> {
  const argv = [...await serviceCommand(program), "ocr"];
  const env = { HANDLER_SERVICES: await daemon.services("scans") };
  const child = start(argv, { inheritEnv: true, env, stdin: "piped", stdout: "piped", stderr: "null" });
  const caller = new Caller(pipeOf(child));
  await caller.hello();
  return {
    caller,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.status;
    },
  };
}

function pipeOf(child: Deno.ChildProcess): Pipe {
  const writer = child.stdin.getWriter(), reader = child.stdout.getReader({ mode: "byob" });
  return {
    async write(bytes) {
      await writer.write(bytes);
      return bytes.length;
    },
    async read(into) {
      const { done, value } = await reader.read(new Uint8Array(into.length));
      if (done || !value) return null;
      into.set(value);
      return value.length;
    },
  };
}

/** The file lies where the connector looks for it. */
async function stage({ filesIn }: PlainConnector, file: string): Promise<string> {
  await copyFile(file, `${filesIn}/page`);
  const { size } = await Deno.stat(file);
  return JSON.stringify({ path: { $file: "page", size, mediaType: "application/pdf" } });
}

/** Milliseconds of one call. */
async function read(caller: Caller, args: string): Promise<number> {
  const from = performance.now();
  const answer = new TextDecoder().decode(await caller.call("ocr_extract", args));
  if (!answer.includes("1,084.85")) throw new Error(`the invoice was not read: ${answer.slice(0, 500)}`);
  return performance.now() - from;
}

type Reading = () => Promise<number>;

async function onePage(page: Reading, direct: Reading, { quick, say }: Context): Promise<Figure> {
  const ways = { everything: page, engine: direct };
  await interleaved(ways, { rounds: 1, limitMs: 0 });
  const all = await interleaved(ways, { rounds: quick ? 1 : 12, limitMs: 30_000 });
  const rounds = quieter(all);
  say(`one page: ${rounds.length} of ${all.length} rounds kept`);
  const value = median(rounds.map(({ results }) => results.everything));
  const engine = median(rounds.map(({ results }) => results.engine));
  const ratio = rounded(median(rounds.map(({ results }) => results.everything / results.engine)));
  return measured(PAGE, Math.round(value), ratio <= 1.1, {
    peer: "the engine called directly",
    ratio,
    why: `directly ${Math.round(engine)} ms`,
  });
}

async function manyPages(
  page: Reading,
  many: Reading,
  pages: number,
  { quick, say }: Context,
): Promise<Figure> {
  const cores = navigator.hardwareConcurrency;
  const all = await interleaved({ page, many }, { rounds: quick ? 1 : 6, limitMs: 40_000, least: 1 });
  const rounds = quieter(all);
  say(`many pages: ${rounds.length} of ${all.length} rounds kept`);
  const value = median(rounds.map(({ results }) => results.many));
  const speedUp = rounded(median(rounds.map(({ results }) => pages * results.page / results.many)));
  const foreign = foreignCores(rounds);
  const holds = foreign > MOST_FOREIGN ? null : speedUp >= 0.75 * cores;
  return measured(PDF, Math.round(value), holds, {
    peer: `one page ${pages} times`,
    ratio: rounded(1 / speedUp),
    why:
      `${pages} pages, ${speedUp} times as quick on ${cores} cores, of which other programs took ${foreign}`,
  });
}
