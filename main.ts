/**
 * The one program. It answers to the name that it is started under (`handler`, `handler-service`, …), else to its
 * first word. Each part is loaded only when it is asked for, so that a small one starts quickly.
 * @module
 */
import { AGENT_INSIDE } from "./src/agents/inside.ts";
import { env, exit, invocation, ownProgram, terminal, workingFolder } from "./src/platform/mod.ts";

type Part = (args: readonly string[]) => Promise<number>;

const PARTS: Readonly<Record<string, Part>> = {
  handlerd: async (args) => (await import("./src/daemon/mod.ts")).runDaemon(args),
  handler: runHandler,
  "handler-service": runService,
  "handler-call": async (args) => (await import("./src/guest/commands/call.ts")).main(args),
  "handler-llm": async (args) => (await import("./src/guest/commands/llm.ts")).main(args),
  demo: async (args) => (await import("./demo/mod.ts")).runDemo(args),
};

/** Inside an agent's sandbox, where no daemon can be reached, an author of mini apps gets what needs none. */
async function runHandler(args: readonly string[]): Promise<number> {
  if (!ownProgram().startsWith(`${AGENT_INSIDE.bin}/`)) {
    return (await import("./src/cli/mod.ts")).runCli(args, terminal);
  }
  const parts = { terminal, cwd: workingFolder(), template: env("HANDLER_MINIAPP_TEMPLATE") };
  return await (await import("./src/apps/mod.ts")).runInside(args, parts);
}

/** Inside a sandbox the bridge alone is loaded; outside one, `--agent NAME` says for whom it works. */
async function runService(args: readonly string[]): Promise<number> {
  const service = await import("./src/guest/commands/service.ts");
  if (!args.some((word) => /^--agent(=|$)/.test(word))) return await service.main(args);
  const { failedService, hostService } = await import("./src/cli/mod.ts");
  try {
    const { args: rest, open } = hostService(args);
    return await service.mainFor(rest, open);
  } catch (error) {
    return failedService(error, terminal);
  }
}

/** The compiled file is called `handlerd` or `handlerd-<target>`, and takes a part's name as its first word too. */
function choose(name: string, args: readonly string[]): [Part, readonly string[]] | undefined {
  const own = PARTS[name];
  if (own && name !== "handlerd") return [own, args];
  const named = PARTS[args[0] ?? ""];
  if (named) return [named, args.slice(1)];
  return name.startsWith("handlerd") && PARTS.handlerd ? [PARTS.handlerd, args] : undefined;
}

const { name, args } = invocation();
const chosen = choose(name, args);
if (!chosen) {
  terminal.err(`usage: ${name} ${Object.keys(PARTS).join(" | ")} [arguments]\n`);
  exit(2);
}
exit(await chosen[0](chosen[1]));
