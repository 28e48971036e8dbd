/**
 * Plays a daemon that is killed: starts an agent over a home, says the session's id, and waits.
 * Arguments: home, agent, driver.
 */
import type { DriverName } from "../../src/sandbox/mod.ts";
import { startDaemon } from "./support.ts";

const [home = "", agent = "", driver] = Deno.args;
const { agents } = await startDaemon(home, driver as DriverName);
const { id } = await agents.run(agent, {});
console.log(id);
await new Promise(() => {});
