/**
 * A home in which every view has something to show.
 * @module
 */
import { utf8 } from "../../src/base/mod.ts";
import { deployApp } from "../apps/daemon.ts";
import { layApp, notes } from "../apps/small_app.ts";
import { shellAgent, type SystemHome } from "../system/home.ts";
import { until } from "../system/wait.ts";
import { ROOT } from "../../tools/repository.ts";
import { layTalker, say } from "./talker.ts";

/** What was put into the home, by its kind. */
export interface Furniture {
  readonly interfaceId: string;
  readonly connector: string;
  readonly binding: string;
  readonly agent: string;
  readonly project: string;
  readonly session: string;
  readonly call: string;
  readonly app: string;
  /** An app whose next version asks for everything there is, and the job that deployed its first. */
  readonly asking: string;
  readonly deploy: string;
  readonly thread: string;
  readonly person: string;
}

/** Fills a running daemon's home through its own operations. @returns what is where */
export async function furnish(home: SystemHome): Promise<Furniture> {
  const { client } = home;
  await home.trust("probe/v1", "probe");
  await client.secretSet("vendor-key", utf8("never shown"));
  const { binding } = await client.welcomeReader();
  await home.write(
    "agents/clerk.toml",
    shellAgent("echo hello; sleep 0.1", `services = { ocr = "${binding}" }`),
  );
  await home.write("projects/desk.toml", `path = "${home.work}"\n`);
  await client.reload();
  await client.personAdd({ name: "alice", displayName: "Alice", desktop: false });
  const app = await client.welcomeApp();
  await deployApp(home, app.name);
  await client.appShare(app.name, "alice", true);
  const deploy = await layAsking(home);
  const thread = await client.welcomeThread();
  const said = { side: undefined, metadata: undefined, attachments: [] };
  await client.threadSend(thread.id, { ...said, content: "flour" });
  const session = await client.run("clerk", null);
  await readInvoice(home, binding);
  const [call] = await client.calls({ limit: 1 });
  return {
    interfaceId: "ocr/v1",
    connector: "ocr-tesseract",
    binding,
    agent: "clerk",
    project: thread.project,
    session: session.id,
    call: String(call?.id),
    app: app.name,
    ...{ asking: "coach", deploy },
    thread: thread.id,
    person: "alice",
  };
}

async function readInvoice({ client }: SystemHome, binding: string): Promise<void> {
  const trial = await client.trialNew();
  const bytes = await Deno.readFile(`${ROOT}/interfaces/ocr/v1/conformance/invoice.pdf`);
  await client.trialPut(trial.id, "invoice.pdf", new Blob([bytes]));
  const call = { tool: "ocr_extract", binding, input: { path: "invoice.pdf" } };
  await client.trialCall(trial.id, call, AbortSignal.timeout(60_000));
}

const NEEDS = `[needs]
egress = ["api.example.com:443"]
secrets = ["COACH_KEY"]
services = ["ocr/v1"]
files = { photos = "ro" }
`;

/** An app that has said something, with a version in its source that is not sound yet. @returns the job of its deploy */
async function layAsking(home: SystemHome): Promise<string> {
  const { client } = home;
  const source = await layTalker(home, "coach");
  const { id } = await client.jobStart({
    kind: "deploy",
    app: "coach",
    hash: (await client.appPlan("coach")).hash,
  });
  await until("the app to be deployed", async () => (await client.job(id)).state === "done");
  await say(home, "coach", { title: "Time for a walk", text: "The sun is out", link: "/today" });
  const server = `import "https://example.com/x.ts";\n${notes()}`;
  await layApp(source, { name: "coach", version: "0.2.0", manifest: NEEDS, server });
  return id;
}
