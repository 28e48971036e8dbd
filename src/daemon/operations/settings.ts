import type { DeskOperations, SettingsView } from "../../api/mod.ts";
import { defaultMain, SETTINGS, settingsIn } from "../../config/mod.ts";
import { readTextIfThere } from "../../platform/mod.ts";
import type { Parts } from "../assemble.ts";
import { reload } from "./configuration.ts";

/** The person's settings, key by key. */
export function settingOperations(parts: Parts): Pick<DeskOperations, "settings" | "settingSet"> {
  return {
    settings: () => view(parts),
    async settingSet(key, value) {
      await parts.editor.saveSetting(key, value);
      await reload(parts);
      return await view(parts);
    },
  };
}

async function view({ folders, configuration, startedWith }: Parts): Promise<SettingsView> {
  const file = `${folders.config}/config.toml`;
  const said = settingsIn(await readTextIfThere(file) ?? "");
  const { main } = configuration.current();
  const standard = defaultMain();
  const settings = SETTINGS.map(({ key, kind, choices, description, restart, read }) => ({
    ...{ key, kind, choices, description, restart },
    value: read(main),
    standard: read(standard),
    set: said.has(key),
    waits: restart && read(main) !== read(startedWith),
  }));
  return { file, settings };
}
