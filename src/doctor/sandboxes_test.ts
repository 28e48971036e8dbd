import assert from "node:assert/strict";
import type { DriverName, SandboxDriver } from "../sandbox/mod.ts";
import { runChecks } from "./check.ts";
import { sandboxChecks } from "./sandboxes.ts";

type Probe = { readonly works: true } | { readonly works: false; readonly why: string } | "hangs";

/** What is said of the drivers where they behave like this. */
async function told(asked: "auto" | DriverName, probes: Record<DriverName, Probe>) {
  const driver = (name: DriverName) => ({
    name,
    probe: () => {
      const probe = probes[name];
      return probe === "hangs" ? new Promise<never>(() => {}) : Promise.resolve(probe);
    },
    notStopped: () => name === "deno" ? ["much"] : [],
  } as unknown as SandboxDriver);
  const [drivers] = sandboxChecks({ asked, driver, image: undefined, installer: "apt", limitMs: 50 });
  const found = await runChecks([drivers!], 5_000);
  return Object.fromEntries(found.map(({ name, state }) => [name, state]));
}

const YES: Probe = { works: true };
const NO: Probe = { works: false, why: "no" };

Deno.test("a driver that does not work matters as much as it is missed", async () => {
  assert.deepEqual(await told("auto", { podman: NO, bubblewrap: YES, deno: YES }), {
    "sandbox podman": "ok",
    "sandbox bubblewrap (used)": "ok",
    "sandbox deno": "ok",
  });
  assert.deepEqual(await told("auto", { podman: NO, bubblewrap: NO, deno: YES }), {
    "sandbox podman": "warning",
    "sandbox bubblewrap": "warning",
    "sandbox deno (used)": "ok",
  });
  assert.deepEqual(await told("auto", { podman: NO, bubblewrap: NO, deno: NO }), {
    "sandbox podman": "failed",
    "sandbox bubblewrap": "failed",
    "sandbox deno": "failed",
  });
  assert.deepEqual(await told("podman", { podman: NO, bubblewrap: YES, deno: YES }), {
    "sandbox podman (used)": "failed",
    "sandbox bubblewrap": "ok",
    "sandbox deno": "ok",
  });
});

Deno.test("one that hangs is late, and the others are told", async () => {
  assert.deepEqual(await told("auto", { podman: "hangs", bubblewrap: YES, deno: YES }), {
    "sandbox podman": "late",
    "sandbox bubblewrap (used)": "ok",
    "sandbox deno": "ok",
  });
});
