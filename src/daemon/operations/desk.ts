import type { AppOperations } from "../../api/mod.ts";
import { type App, installed } from "../../apps/mod.ts";
import { errorText, HandlerError } from "../../base/mod.ts";
import { OWNER } from "../../config/mod.ts";
import type { Parts } from "../assemble.ts";
import { appView } from "./apps.ts";

/** What the person at the desk settles: windows, who may use an app, shortcuts. */
export type WindowOperations = Pick<AppOperations, "appLink" | "appShare" | "appShortcut">;

/** Windows, persons and shortcuts of apps (seed `mini-apps.md` §5.1, §8). */
export function deskOperations(parts: Parts): WindowOperations {
  const { apps, origins } = parts;
  return {
    async appLink(name, person) {
      const app = apps.registry.get(name);
      checkPerson(parts, person);
      if (!installed(app)) {
        throw new HandlerError("conflict", `the app ${name} is not deployed`, {
          hint: `handler app deploy ${name}`,
        });
      }
      if (!apps.mayUse(name, person)) {
        throw new HandlerError("denied", `the app ${name} is not shared with ${person}`, {
          hint: `handler app share ${name} ${person}`,
        });
      }
      return { url: await origins.link(name, person) };
    },
    appShare: (name, person, shared) => share(parts, name, person, shared),
    appShortcut: (name, keys) => bindKeys(parts, name, keys),
  };
}

/** @throws {HandlerError} `not_found` for nobody */
export function checkPerson({ configuration }: Parts, name: string): void {
  if (configuration.current().persons.has(name)) return;
  throw new HandlerError("not_found", `there is no person ${JSON.stringify(name)}`, {
    hint: `handler person add ${name}`,
  });
}

/** Who lost an app can be taken from it even when they are gone from the configuration. */
async function share(parts: Parts, name: string, person: string, shared: boolean) {
  const { registry } = parts.apps;
  if (shared) checkPerson(parts, person);
  if (person === OWNER) throw new HandlerError("conflict", "the owner may use every app");
  const { persons } = registry.get(name).settings;
  if (!shared && !persons.includes(person)) {
    throw new HandlerError("not_found", `the app ${name} is not shared with ${JSON.stringify(person)}`);
  }
  await registry.update(name, (app) => {
    const others = app.settings.persons.filter((one) => one !== person);
    return { ...app, settings: { ...app.settings, persons: shared ? [...others, person].sort() : others } };
  });
  return await appView(parts, registry.get(name));
}

async function bindKeys(parts: Parts, name: string, keys: string | null) {
  const { apps: { registry }, shortcuts } = parts;
  registry.get(name);
  const alsoUsedBy = keys === null ? undefined : await shortcuts.bind(name, keys);
  if (keys === null) await shortcuts.unbind(name);
  await registry.update(
    name,
    (app) => ({ ...app, settings: { ...app.settings, shortcut: keys ?? undefined } }),
  );
  return { app: await appView(parts, registry.get(name)), alsoUsedBy: alsoUsedBy ?? null };
}

/** The keys of an app that was renamed or removed follow it; a desktop that does not let them is told in the log. */
export async function moveShortcut(
  { shortcuts, log }: Parts,
  { name, settings: { shortcut } }: App,
  to: string | undefined,
): Promise<void> {
  if (shortcut === undefined) return;
  try {
    await shortcuts.unbind(name);
    if (to !== undefined) await shortcuts.bind(to, shortcut);
  } catch (error) {
    log.log("warn", `the shortcut of the app ${name} stays as it was: ${errorText(error)}`);
  }
}
