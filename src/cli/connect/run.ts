import { asHandlerError, HandlerError } from "../../base/mod.ts";
import { ownCommand } from "../../platform/mod.ts";
import type { Context } from "../command.ts";
import { apply, preview } from "./apply.ts";
import type { Launch, Machine, McpClient } from "./client.ts";
import { CLIENTS, isInstalled } from "./clients.ts";
import { thisMachine } from "./machine.ts";
import { entriesOf, type Plan, type Wanted } from "./plan.ts";
import { settingsOf } from "./settings.ts";
import { EXIT, EXIT_OF } from "../exit.ts";
import { oneOf } from "../find.ts";
import { usage } from "../parsed.ts";
import { localTime } from "../time.ts";

/** What came of one client. */
interface Outcome {
  readonly client: string;
  readonly title: string;
  readonly file: string;
  readonly state: "shown" | "written" | "unchanged" | "refused";
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly backup: string | null;
  /** What stands in the file for it, as text to paste. */
  readonly entry: string;
  readonly error: HandlerError | undefined;
}

/** Shows, makes or removes the entries of an agent's services in the clients of this machine. Gives the exit code. */
export async function runConnect(context: Context): Promise<number> {
  const { parsed, output } = context;
  const machine = thisMachine();
  const agent = parsed.arg("AGENT");
  const clients = await chosenClients(context, machine);
  const wanted = { agent, launches: parsed.flag("remove") ? {} : await launchesOf(context, agent) };
  const outcomes: Outcome[] = [];
  for (const client of clients) {
    outcomes.push(await outcomeOf(context, client, await client.file(machine), wanted));
  }
  output.data({
    agent,
    clients: outcomes.map(({ error, ...rest }) => ({ ...rest, error: error?.message ?? null })),
  }, () => outcomes.map(text).join("\n"));
  tell(context, outcomes);
  const refused = outcomes.find(({ error }) => error !== undefined)?.error;
  return refused ? EXIT_OF[refused.kind] : EXIT.done;
}

async function chosenClients({ parsed, output }: Context, machine: Machine): Promise<readonly McpClient[]> {
  const named = parsed.values("client");
  if (parsed.flag("write") && parsed.flag("remove")) {
    throw usage(parsed.command, "--write and --remove exclude each other");
  }
  if (named.length > 0) {
    const known = `known: ${names()}`;
    return [...new Set(named)].map((word) => oneOf(CLIENTS, "client", word, ({ name }) => name, known));
  }
  const found = await Promise.all(CLIENTS.map((client) => isInstalled(client, machine)));
  const clients = CLIENTS.filter((_, at) => found[at]);
  if (clients.length === 0) output.note(`no client is found here; name one with --client: ${names()}`);
  return clients;
}

function names(): string {
  return CLIENTS.map(({ name }) => name).join(", ");
}

/** How each of the agent's services is started from anywhere on this machine. */
async function launchesOf(
  { daemon, folders }: Context,
  agent: string,
): Promise<Readonly<Record<string, Launch>>> {
  const { services } = await daemon.externalServices(agent);
  if (services.length === 0) {
    throw new HandlerError("conflict", `the agent ${agent} has no services`, {
      hint: `choose one with handler agent select ${agent} INTERFACE BINDING`,
    });
  }
  const [command = "", ...before] = ownCommand("handler-service");
  const env = { HANDLER_RUNTIME_DIR: folders.runtime }; // some clients pass nothing of their own environment on
  const pairs = services.map((name) => [name, { command, args: [...before, name, "--agent", agent], env }]);
  return Object.fromEntries(pairs);
}

async function outcomeOf(
  context: Context,
  client: McpClient,
  file: string,
  wanted: Wanted,
): Promise<Outcome> {
  const { parsed, clock } = context;
  const entry = pasteText(client, file, wanted);
  const base = { client: client.name, title: client.title, file, entry, backup: null, error: undefined };
  try {
    if (!parsed.flag("write") && !parsed.flag("remove")) {
      return { ...base, ...changesOf(await preview(client, file, wanted)), state: "shown" };
    }
    const stamp = localTime(clock.now()).replace(/[-:]/g, "").replace(" ", "-");
    const { plan, backup } = await apply(client, file, wanted, stamp);
    const changes = changesOf(plan);
    const same = [changes.added, changes.changed, changes.removed].every((names) => names.length === 0);
    return { ...base, ...changes, backup, state: same ? "unchanged" : "written" };
  } catch (thrown) {
    const error = asHandlerError(thrown, `changing ${file}`);
    return { ...base, added: [], changed: [], removed: [], state: "refused", error };
  }
}

function changesOf({ added, changed, removed }: Plan) {
  return { added, changed, removed };
}

/** The entries alone, as a file that held nothing else would have them. */
function pasteText(client: McpClient, file: string, wanted: Wanted): string {
  const settings = settingsOf(client, file);
  return Object.entries(entriesOf(client, wanted)).reduce(
    (text, [name, entry]) => settings.set(text, name, entry),
    "",
  );
}

function text({ title, file, state, added, changed, removed, backup, entry }: Outcome): string {
  if (state === "shown") {
    return `${title}: ${file}\n${entry.trimEnd().split("\n").map((line) => `  ${line}\n`).join("")}`;
  }
  const parts = [["added", added], ["changed", changed], ["removed", removed]] as const;
  const words = parts.filter(([, names]) => names.length > 0).map(([what, names]) =>
    `${what} ${names.join(", ")}`
  );
  return `${title}: ${state}, ${file}\n${words.map((line) => `  ${line}\n`).join("")}${
    backup === null ? "" : `  as it was: ${backup}\n`
  }`;
}

function tell({ output, parsed }: Context, outcomes: readonly Outcome[]): void {
  for (const { error } of outcomes) if (error) output.error(error);
  const agent = parsed.arg("AGENT");
  if (outcomes.some(({ state }) => state === "shown")) output.next(`handler connect ${agent} --write`);
  if (outcomes.some(({ state }) => state === "written")) {
    output.note("start the client anew, so that it reads its settings");
  }
}
