import { onDriver } from "../drivers.ts";
import { notes } from "../small_app.ts";
import { attacksIn, type BackendAttack } from "./attack.ts";

/** What depends on the sandbox is tried on both drivers. */
const ON_BOTH = ["network", "other_apps_socket", "host_files", "socket_link"];

for (const [name, { what, server, attempt }] of await attacksIn<BackendAttack>("backend")) {
  for (const driver of ["bubblewrap", "podman"] as const) {
    if (driver === "podman" && !ON_BOTH.includes(name)) continue;
    onDriver(driver, `attack from a backend, ${name}: ${what}`, async (desk) => {
      await desk.lay({ name: "victim", server: notes() });
      await desk.lay({ name: "evil", server });
      for (const app of ["victim", "evil"]) await desk.deploy(app);
      await attempt(desk);
    });
  }
}
