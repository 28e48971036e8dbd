/**
 * The main job, live: an agent in a sandbox reads a scanned invoice through a frozen contract, the provider behind it is
 * swapped by one value, and nothing that the agent sees changes.
 * @module
 */
import { parseArgs } from "node:util";
import { errorText, HandlerError } from "../src/base/mod.ts";
import type { Daemon } from "../src/daemon/mod.ts";
import {
  type Folders,
  isCompiled,
  onSignals,
  removeQuietly,
  temporaryFolder,
  terminal,
} from "../src/platform/mod.ts";
import { showApp } from "./apps_steps.ts";
import { layHome } from "./home.ts";
import { startModel } from "./model_part.ts";
import {
  agentReads,
  askModel,
  checkConnector,
  searchForSecret,
  showRecords,
  startHandler,
  swapProvider,
} from "./steps.ts";
import { Story } from "./story.ts";
import { showThreads } from "./threads_steps.ts";
import { startVendor } from "./vendor.ts";

const USAGE = `Usage: deno task demo [--once] [--json] [--sandbox auto|podman|bubblewrap|deno]

Shows Handler's main job on a real scanned invoice, then leaves the daemon running until Ctrl-C.

  --once             end after the last step
  --json             print what happened as JSON (implies --once)
  --sandbox DRIVER   which sandbox to use; the best that works here otherwise
`;

const DRIVERS = ["auto", "podman", "bubblewrap", "deno"] as const;

interface Options {
  readonly once: boolean;
  readonly json: boolean;
  readonly sandbox: (typeof DRIVERS)[number];
}

/** Runs the demo. @returns the exit code: 0 where every step held */
export async function runDemo(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "number") return options;
  const story = new Story({ quiet: options.json });
  const interrupted = Promise.withResolvers<void>();
  const silence = onSignals(["SIGINT", "SIGTERM"], () => interrupted.resolve());
  try {
    await Promise.race([tell(story, options, interrupted.promise), interrupted.promise]);
    return 0;
  } catch (error) {
    if (options.json) terminal.out(JSON.stringify({ schema: 1, ok: false, steps: story.steps }) + "\n");
    terminal.err(`demo: ${error instanceof HandlerError ? error : errorText(error)}\n`);
    if (error instanceof HandlerError && error.hint) terminal.err(`  hint: ${error.hint}\n`);
    return 1;
  } finally {
    silence();
  }
}

function readOptions(args: readonly string[]): Options | number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        once: { type: "boolean" },
        json: { type: "boolean" },
        sandbox: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) {
      terminal.out(USAGE);
      return 0;
    }
    const sandbox = DRIVERS.find((driver) => driver === (values.sandbox ?? "auto"));
    if (!sandbox) throw new Error(`--sandbox is one of ${DRIVERS.join(", ")}`);
    const json = values.json ?? false;
    return { json, once: json || (values.once ?? false), sandbox };
  } catch (error) {
    terminal.err(`demo: ${errorText(error)}\n\n${USAGE}`);
    return 2;
  }
}

async function tell(story: Story, options: Options, interrupted: Promise<void>): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  await prepareCheckout(story);
  const root = await temporaryFolder("hdemo-");
  cleanup.defer(() => removeQuietly(root));
  const vendor = cleanup.use(await startVendor());
  const home = await layHome(root, vendor);
  const { daemon, client } = await startHandler(story, home, options.sandbox);
  cleanup.defer(() => daemon.stop());
  cleanup.use(client);
  const local = await agentReads(story, client);
  await swapProvider(story, client, local, vendor);
  const model = await startModel();
  if (model) cleanup.defer(() => model.close());
  await askModel(story, client, model);
  await showRecords(story, client);
  await checkConnector(story, client);
  await searchForSecret(story, client, home);
  await showApp(story, client, home);
  await showThreads(story, client, home, model);
  if (options.json) terminal.out(JSON.stringify({ schema: 1, ok: true, steps: story.steps }, null, 2) + "\n");
  if (!options.once) await stay(story, home.folders, daemon, interrupted);
}

/** A checkout builds its connectors and guest programs first; the compiled program carries them. */
async function prepareCheckout(story: Story): Promise<void> {
  if (isCompiled) return;
  // a computed name keeps the build tools out of the compiled program
  const tool = ["..", "tools", "prepare.ts"].join("/");
  const { prepare } = await import(new URL(tool, import.meta.url).href);
  const root = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");
  await prepare({ root, say: (line: string) => story.say(line) });
}

async function stay(
  story: Story,
  folders: Folders,
  daemon: Daemon,
  interrupted: Promise<void>,
): Promise<void> {
  const variables = Object.entries(folders).map(([name, path]) =>
    `HANDLER_${name.toUpperCase()}_DIR=${path}`
  );
  const handler = isCompiled ? "handler" : "deno task handler";
  story.say("\nhandlerd goes on until Ctrl-C. Look around from another terminal:");
  story.say(`   export ${variables.join(" ")}`);
  story.say(`   ${handler} status; ${handler} calls; ${handler} run clerk`);
  await Promise.race([interrupted, daemon.stopped]);
}
