/** `handler` inside an agent's sandbox, as a program of its own: what an author of mini apps needs, without a daemon. */
import { runInside } from "./src/apps/mod.ts";
import { env, exit, invocation, terminal, workingFolder } from "./src/platform/mod.ts";

const template = env("HANDLER_MINIAPP_TEMPLATE");
exit(await runInside(invocation().args, { terminal, cwd: workingFolder(), template }));
