import type { DriverName } from "../../src/sandbox/mod.ts";
import { buildImage, imageStatus } from "../../src/sandbox/mod.ts";
import { type Desk, type DeskOptions, makeDesk } from "./desk.ts";

const NAMES = ["bubblewrap", "podman"] as const;

/**
 * A test on each driver with mounts. Where one does not work on this machine its test is ignored with the reason; under
 * `CI=true` it fails.
 */
export function onDrivers(
  name: string,
  test: (desk: Desk, driver: DriverName) => Promise<void>,
  options: DeskOptions = {},
): void {
  for (const driver of NAMES) onDriver(driver, name, test, options);
}

/** As {@linkcode onDrivers}, on one. */
export function onDriver(
  driver: DriverName,
  name: string,
  test: (desk: Desk, driver: DriverName) => Promise<void>,
  options: DeskOptions = {},
): void {
  const missing = missingDriver(driver);
  Deno.test({
    name: `${driver}: ${name}${missing ? ` (${missing})` : ""}`,
    ignore: missing !== undefined && !CI,
    async fn() {
      if (missing) throw new Error(missing);
      await using desk = await makeDesk({ driver, ...options });
      await test(desk, driver);
    },
  });
}

/** Whether this is a build machine, where nothing may be left out. */
export const CI = Deno.env.get("CI") === "true";

const MISSING = await findMissing();

/** Why a driver does not work here; undefined where it does. */
export function missingDriver(driver: DriverName): string | undefined {
  return MISSING[driver];
}

async function findMissing(): Promise<Readonly<Partial<Record<DriverName, string>>>> {
  const image = await imageStatus({ named: undefined }).catch(() => undefined);
  if (image?.present.length === 0) await buildImage({ deno: Deno.execPath() }).catch(() => {});
  await using desk = await makeDesk();
  const reasons = NAMES.map(async (name) => {
    const found = await desk.sandboxes.driver(name).probe();
    return [name, found.works ? undefined : found.why] as const;
  });
  return Object.fromEntries(await Promise.all(reasons));
}
