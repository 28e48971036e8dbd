/**
 * A home in which every view has something to show.
 * @module
 */
import { utf8 } from "../../src/base/mod.ts";
import { deployApp } from "../apps/daemon.ts";
import { shellAgent, type SystemHome } from "../system/home.ts";
import { ROOT } from "../../tools/repository.ts";

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
