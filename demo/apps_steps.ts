import { HandlerError } from "../src/base/mod.ts";
import type { Client, DeployReport } from "../src/client/mod.ts";
import { readText, writeAtomic } from "../src/platform/mod.ts";
import type { DemoHome } from "./home.ts";
import type { Story } from "./story.ts";
import { AppWindow } from "./window.ts";

const NOTE = "buy ink for the label printer";

/** A mini app from the template: made, tested and deployed, used, changed with its data, and rolled back. */
export async function showApp(story: Story, client: Client, home: DemoHome): Promise<void> {
  const source = `${home.desk}/notes`;
  await story.step("handler app new notes; handler app deploy notes", async () => {
    await client.appNew("notes", source);
    await client.appAdd(source);
    const report = await deploy(client);
    return { lines: stepLines(report), data: report };
  });
  const window = await useApp(story, client);
  await story.step(
    "the code and the schema change; the migration is rehearsed on a copy of the real data",
    async () => {
      await changeSource(source);
      const report = await deploy(client);
      await window.call("POST", "/api/notes", { text: "written after the deploy" });
      const rows = report.rehearsal.map(({ table, before, after }) =>
        `${table}: ${before ?? "-"} → ${after ?? "-"}`
      );
      return { lines: [...stepLines(report), `rows before → after: ${rows.join(", ")}`], data: report };
    },
  );
  await story.step("handler app rollback notes: code and data go back together", async () => {
    const plan = await client.appRollbackPlan("notes");
    const { app, kept } = await client.appRollback("notes");
    const notes = await window.call("GET", "/api/notes");
    if (!notes.includes(NOTE) || notes.includes("written after")) {
      throw new HandlerError("internal", `after the roll-back the app has ${notes}`);
    }
    const lost = plan.lostRows.map(({ table, rows }) => `${rows} of ${table}`).join(", ");
    return {
      lines: [
        `told first: rows written since that are lost: ${lost}`,
        `version ${app.version} again; what was replaced is kept as ${kept}`,
      ],
      data: { plan, version: app.version, kept },
    };
  });
}

async function useApp(story: Story, client: Client): Promise<AppWindow> {
  let window: AppWindow | undefined;
  await story.step("the app sleeps; its first call wakes it in its sandbox", async () => {
    const { url } = await client.appLink("notes", "owner");
    window = await AppWindow.open(url);
    const page = await window.call("GET", "/");
    const began = performance.now();
    await window.call("POST", "/api/notes", { text: NOTE });
    const wakeMs = Math.round(performance.now() - began);
    const notes = await window.call("GET", "/api/notes");
    if (!notes.includes(NOTE)) throw new HandlerError("internal", `the note is not there: ${notes}`);
    return {
      lines: [
        `${
          new URL(url).origin
        }/ : page ${page.length} bytes from handlerd, first answer of the backend after ${wakeMs} ms`,
        `in its SQLite now: ${NOTE}`,
        "in a browser: handler app open notes",
      ],
      data: { origin: new URL(url).origin, wakeMs, notes: JSON.parse(notes) },
    };
  });
  return window!;
}

/** What a person does who has looked at what the app needs. */
async function deploy(client: Client): Promise<DeployReport> {
  const { hash } = await client.appPlan("notes");
  const report = await client.appDeploy("notes", hash, () => {});
  if (!report.deployed) throw new HandlerError("internal", `the deploy failed: ${report.log}`);
  return report;
}

function stepLines({ steps }: DeployReport): readonly string[] {
  return steps.map(({ step, ms, detail }) =>
    `${step.padEnd(9)} ${`${ms} ms`.padStart(8)}  ${detail.split("\n")[0]}`
  );
}

/** A new version as an agent would write it: a table more, a column more, its number. */
async function changeSource(source: string): Promise<void> {
  await writeAtomic(
    `${source}/server/migrations/003_tags.sql`,
    "CREATE TABLE tags (note INTEGER NOT NULL REFERENCES notes, tag TEXT NOT NULL) STRICT;\n" +
      "INSERT INTO tags SELECT id, 'old' FROM notes;\n",
    0o644,
  );
  const manifest = await readText(`${source}/app.toml`);
  await writeAtomic(`${source}/app.toml`, manifest.replace(/^version = .*$/m, 'version = "0.2.0"'), 0o644);
}
