import { HandlerError, isObject } from "../../base/mod.ts";
import { type Folders, readTextIfThere, writeAtomic } from "../../platform/mod.ts";
import type { Made } from "./piece.ts";

/** What `handler install` did, for `uninstall` and `update`. */
export interface InstallRecord {
  readonly schema: 1;
  readonly version: string;
  /** The program's file; null where a checkout runs. */
  readonly program: string | null;
  /** Whether the program is a copy that Handler made, which an update may replace. */
  readonly copied: boolean;
  /** Who starts the daemon; null where only the files were made. */
  readonly manager: "systemd" | "launchd" | null;
  readonly made: readonly Made[];
}

/** Where the record lies. */
export function recordFile({ data }: Folders): string {
  return `${data}/installed.json`;
}

/** The record of this home; undefined where nothing is installed. */
export async function readRecord(folders: Folders): Promise<InstallRecord | undefined> {
  const file = recordFile(folders);
  const text = await readTextIfThere(file);
  if (text === undefined) return undefined;
  const found = parsed(text);
  if (isObject(found) && found.schema === 1 && Array.isArray(found.made)) {
    return found as unknown as InstallRecord;
  }
  throw new HandlerError("invalid", "the list of what was installed cannot be read", {
    where: { file },
    hint: "remove that file and run `handler install` again",
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps the record, whole or as it was. */
export async function writeRecord(folders: Folders, record: InstallRecord): Promise<void> {
  await writeAtomic(recordFile(folders), `${JSON.stringify(record, null, 2)}\n`);
}
