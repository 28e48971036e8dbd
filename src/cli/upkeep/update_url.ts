import { join } from "node:path";
import { type Folders, readTextIfThere } from "../../platform/mod.ts";
import { decodeTomlFile, optional, record, text } from "../../schema/mod.ts";

/** The one key of `config.toml` that an update needs; the daemon judges the rest of the file. */
const SHAPE = record({ update: optional(record({ url: optional(text({ max: 2000 })) })) });

/** `update.url` of the configuration, read without the daemon: an update must work where no daemon starts. */
export async function updateUrl({ config }: Pick<Folders, "config">): Promise<string | undefined> {
  const file = join(config, "config.toml");
  const source = await readTextIfThere(file);
  if (source === undefined) return undefined;
  return decodeTomlFile(source, { file, kind: undefined, shape: SHAPE }).record?.update?.url;
}
