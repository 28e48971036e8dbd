import { ensureFolder, findProgram, writeAtomic } from "../../src/platform/mod.ts";
import { newId } from "../../src/base/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { preparePodman } from "../../tools/test/podman.ts";
import { interleaved, quieter } from "../measure/rounds.ts";
import { median, rounded } from "../measure/stats.ts";
import { type BenchDaemon, startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";
import { startPlain } from "./plain_connector.ts";
import { type Figure, measured, type RowName, unmeasured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

interface Driver {
  readonly name: "bubblewrap" | "podman";
  readonly row: RowName;
  readonly mostMs: number;
}

const BUBBLEWRAP: Driver = { name: "bubblewrap", row: "cold-start-bubblewrap", mostMs: 100 };
const PODMAN: Driver = { name: "podman", row: "cold-start-podman", mostMs: 400 };

const PLAIN = "the connector as a plain process";
const HELLO = '{"text":"hello"}';

/** From a call that finds no connector to its answer. The echo has no engine to load, so all of it is Handler's. */
export const coldStart: Section = {
  rows: [BUBBLEWRAP.row, PODMAN.row],
  async measure(context) {
    return [
      ...context.wanted(BUBBLEWRAP.row) ? [await underBubblewrap(context)] : [],
      ...context.wanted(PODMAN.row) ? [await underPodman(context)] : [],
    ];
  },
};

async function underBubblewrap(context: Context): Promise<Figure> {
  if (!await findProgram("bwrap")) return unmeasured(BUBBLEWRAP.row, "bubblewrap is not on this machine");
  return await coldStarts(BUBBLEWRAP, context, {});
}

async function underPodman(context: Context): Promise<Figure> {
  const podman = await preparePodman();
  if (!podman.works) return unmeasured(PODMAN.row, podman.why);
  return await coldStarts(PODMAN, context, podman.env);
}

async function coldStarts(
  driver: Driver,
  { root, quick, program, say }: Context,
  env: Readonly<Record<string, string>>,
): Promise<Figure> {
  const home = `${root}/${driver.name}`;
  const { folders } = await layHome(home, { wrapped: undefined });
  await using daemon = await startHandlerd(folders, { program, driver: driver.name, env });
  await trustAll(daemon.client, ["echo", "bulk"]);
  if (driver.name === "podman") await haveImage(daemon, say);
  const desk = await daemon.connect("desk", "echo");
  const ways = {
    handler: async () => {
      await daemon.client.connectorRestart("echo");
      return await timed(() => desk.call("echo_typed", HELLO));
    },
    plain: () => plainStart(`${home}/${newId()}`, `${folders.data}/connectors/echo/main.ts`),
  };
  const [first] = await interleaved(ways, { rounds: 1, limitMs: 0 });
  const all = await interleaved(ways, { rounds: quick ? 2 : 16, limitMs: 30_000 });
  const rounds = quieter(all);
  say(`cold starts under ${driver.name}: ${rounds.length} of ${all.length} rounds kept`);
  const value = Math.round(median(rounds.map(({ results }) => results.handler)));
  const plain = Math.round(median(rounds.map(({ results }) => results.plain)));
  return measured(driver.row, value, value <= driver.mostMs, {
    peer: PLAIN,
    ratio: rounded(value / plain),
    why: `${Math.round(first?.results.handler ?? NaN)} ms the first time; as a plain process ${plain} ms`,
  });
}

async function haveImage({ client }: BenchDaemon, say: Context["say"]): Promise<void> {
  if ((await client.image()).usable) return;
  say("building the image of podman's sandboxes");
  await client.imageBuild();
}

/** The same connector without Handler: what Deno itself takes to start it. */
async function plainStart(folder: string, entry: string): Promise<number> {
  const config = `${folder}/deno.json`;
  await ensureFolder(folder);
  await writeAtomic(
    config,
    JSON.stringify({ imports: { "@handler/connector": `${ROOT}/build/guest/kit.js` } }),
  );
  const from = performance.now();
  await using plain = await startPlain(folder, ["--no-lock", "--config", config, entry]);
  await plain.caller.call("echo_typed", HELLO);
  return performance.now() - from;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
