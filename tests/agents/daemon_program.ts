/**
 * Plays a daemon that is killed: starts an agent over a home, says the session's id, and waits.
 * Arguments: home, agent.
 */
import { startDaemon } from "./support.ts";

const [home = "", agent = ""] = Deno.args;
const { agents } = await startDaemon(home);
const { id } = await agents.run(agent, {});
console.log(id);
await new Promise(() => {});
