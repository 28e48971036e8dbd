import { readText, writeAtomic } from "../../src/platform/mod.ts";
import { median, rounded } from "../measure/stats.ts";
import { quickDriver } from "../router/daemon.ts";
import { type AppDesk, layHello, startDesk, type Visitor } from "./desk.ts";
import { askOnce } from "./line.ts";
import { type Figure, measured } from "./rows.ts";
import type { Context, Section } from "./section.ts";

const DEPLOY_S = 5, ROLLBACK_S = 1;

/** Deploys and roll-backs of the template, and many deploys in a row under a client. */
export const deploys: Section = {
  rows: ["deploy", "rollback", "deploys-200"],
  async measure(context) {
    const { root, program } = context;
    const driver = await quickDriver();
    await using desk = await startDesk(`${root}/deploys`, { program, driver });
    return [
      ...context.wanted("deploy", "rollback") ? await template(desk, driver, context) : [],
      ...context.wanted("deploys-200") ? [await inARow(desk, context)] : [],
    ];
  },
};

async function template(desk: AppDesk, driver: string, { quick }: Context): Promise<readonly Figure[]> {
  const { client } = desk.daemon;
  const folder = `${desk.apps}/notes`;
  await client.appNew("notes", folder);
  await client.appAdd(folder);
  await desk.deploy("notes");
  const visitor = await desk.visit("notes");
  const deployed: number[] = [], back: number[] = [];
  for (let at = 1; at <= (quick ? 2 : 7); at++) {
    await askOnce(visitor.target, visitor.head("/api/notes"));
    const manifest = await readText(`${folder}/app.toml`);
    await writeAtomic(
      `${folder}/app.toml`,
      manifest.replace(/^version = .*$/m, `version = "1.0.${at}"`),
      0o644,
    );
    deployed.push(await seconds(() => desk.deploy("notes")));
    await askOnce(visitor.target, visitor.head("/api/notes"));
    back.push(await seconds(() => client.appRollback("notes")));
  }
  const why = `under ${driver}, with the template's own tests`;
  const [deploy, rollback] = [rounded(median(deployed)), rounded(median(back))];
  return [
    measured("deploy", deploy, deploy <= DEPLOY_S, { why }),
    measured("rollback", rollback, rollback <= ROLLBACK_S, {}),
  ];
}

async function inARow(desk: AppDesk, { quick }: Context): Promise<Figure> {
  const visitor = await desk.hello("row");
  const client = poll(visitor);
  const times = quick ? 10 : 200;
  let unhealthy = 0;
  const took = await seconds(async () => {
    for (let at = 1; at <= times; at++) {
      await layHello(`${desk.apps}/row`, "row", `0.2.${at}`);
      await desk.deploy("row").catch(() => unhealthy++);
    }
  });
  const { asked, failed } = await client.end();
  const why = `${times} deploys, ${unhealthy} of them refused, ${
    rounded(took / times)
  } s each, ${asked} requests`;
  return measured("deploys-200", failed, failed === 0 && unhealthy === 0, { why });
}

function poll({ target, head }: Visitor) {
  let asked = 0, failed = 0, goes = true;
  const ended = (async () => {
    while (goes) {
      const status = await askOnce(target, head("/api/hello")).catch(() => 0);
      asked++;
      if (status !== 200) failed++;
      await new Promise((later) => setTimeout(later, 5));
    }
  })();
  return {
    async end() {
      goes = false;
      await ended;
      return { asked, failed };
    },
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}
