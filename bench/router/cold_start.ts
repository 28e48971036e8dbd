import { findProgram } from "../../src/platform/mod.ts";
import { preparePodman } from "../../tools/test/podman.ts";
import { median } from "../measure/stats.ts";
import { startHandlerd, trustAll } from "./daemon.ts";
import { layHome } from "./home.ts";
import { type Figure, measured, type RowName, unmeasured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

interface Driver {
  readonly name: "bubblewrap" | "podman";
  readonly row: RowName;
  readonly mostMs: number;
}

const BUBBLEWRAP: Driver = { name: "bubblewrap", row: "cold-start-bubblewrap", mostMs: 100 };
const PODMAN: Driver = { name: "podman", row: "cold-start-podman", mostMs: 400 };

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
  const { folders } = await layHome(`${root}/${driver.name}`, { wrapped: undefined });
  await using daemon = await startHandlerd(folders, { program, driver: driver.name, env });
  await trustAll(daemon.client, ["echo", "bulk"]);
  if (driver.name === "podman") {
    if (!(await daemon.client.image()).usable) {
      say("building the image of podman's sandboxes");
      await daemon.client.imageBuild();
    }
  }
  const desk = await daemon.connect("desk", "echo");
  const times: number[] = [];
  for (let time = 0; time < (quick ? 3 : 15); time++) {
    await daemon.client.connectorRestart("echo");
    const from = performance.now();
    await desk.call("echo_typed", '{"text":"hello"}');
    times.push(performance.now() - from);
  }
  const [first = 0, ...rest] = times;
  const value = Math.round(median(rest));
  const [least, most] = [Math.min(...rest), Math.max(...rest)].map(Math.round);
  return measured(driver.row, value, value <= driver.mostMs, {
    why: `${least} to ${most} ms, ${Math.round(first)} ms the first`,
  });
}
