/**
 * A daemon for the tests to kill: starts the sandbox of a spec in a home, prints its handle, and waits.
 * Arguments: the home's folder, the driver, the guest folder, the spec as JSON.
 */
import { join } from "node:path";
import { silentLogger, systemClock } from "../../src/base/mod.ts";
import { createSandboxes, type DriverName } from "../../src/sandbox/mod.ts";

const [folder, driver, guestFolder, spec] = Deno.args as [string, DriverName, string, string];
const sandboxes = createSandboxes({
  log: silentLogger,
  clock: systemClock,
  runtimeFolder: join(folder, "run"),
  stateFolder: join(folder, "state"),
  instanceId: "first",
  config: { sandbox: driver, image: undefined, egress: { caFile: undefined, dial: {} } },
  deno: Deno.execPath(),
  guestFolder,
  onConnect: () => () => {},
  onEgress: () => {},
});
const sandbox = await sandboxes.start(JSON.parse(spec));
console.log(sandbox.handle);
setInterval(() => {}, 1000);
