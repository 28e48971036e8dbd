import { dirname } from "node:path";
import { HandlerError } from "../../base/mod.ts";
import { type Folders, removeEmptyFolder, removeQuietly, statIfThere, system } from "../../platform/mod.ts";
import type { Context } from "../command.ts";
import { confirm } from "../confirm.ts";
import { EXIT } from "../exit.ts";
import { type Manager, managerOf } from "./manager.ts";
import { type Removal, unmake } from "./piece.ts";
import { statusOf } from "./ready.ts";
import { type InstallRecord, readRecord, recordFile } from "./record.ts";

/** What became of one file of an installation. */
interface Removed {
  readonly path: string;
  readonly became: Removal;
}

/** `handler uninstall`. Gives the exit code. */
export async function uninstall(context: Context): Promise<number> {
  const { folders, output, parsed } = context;
  const record = await readRecord(folders);
  if (!record) {
    throw new HandlerError("not_found", "nothing is installed: there is no list of it in the data folder", {
      hint: `it would be ${recordFile(folders)}; \`handler paths\` says which folders are meant`,
    });
  }
  const sessions = (await statusOf(`${folders.runtime}/handlerd.sock`))?.sessions ?? 0;
  if (!output.json && !parsed.flag("yes")) output.note(whatGoes(record));
  confirm(context, {
    text: "Remove this?",
    about: "whether the service may be removed",
    hint: "use --yes",
  });
  const removed = await takeAway(record, folders);
  const left = await leftBehind(folders);
  output.data({ removed, left }, () => text(removed, left));
  tell(context, removed, sessions);
  return EXIT.done;
}

function whatGoes({ manager, made }: InstallRecord): string {
  const files = made.map(({ path }) => `remove ${path}\n`).join("");
  return `${manager === null ? "" : "end    handlerd\n"}${files}`;
}

/** The service ends first; the list goes last, so that a second try finds what a first one has left. */
async function takeAway(record: InstallRecord, folders: Folders): Promise<readonly Removed[]> {
  const manager: Manager | undefined = record.manager === null ? undefined : managerOf(system.os);
  await manager?.disable();
  const removed: Removed[] = [];
  for (const made of record.made) {
    const program = record.copied && made.path === record.program; // an update that was killed may have changed it
    removed.push({ path: made.path, became: program ? await removedProgram(made.path) : await unmake(made) });
  }
  await manager?.forget();
  for (const folder of new Set(record.made.map(({ path }) => dirname(path)))) {
    if (folder.startsWith(`${folders.data}/`)) await removeEmptyFolder(folder).catch(() => {}); // one that holds more stays
  }
  await removeQuietly(recordFile(folders));
  return removed;
}

async function removedProgram(path: string): Promise<Removal> {
  for (const passing of [".old", ".new"]) await removeQuietly(`${path}${passing}`);
  if (!await statIfThere(path)) return "gone";
  await removeQuietly(path);
  return "removed";
}

async function leftBehind({ config, data, state }: Folders): Promise<readonly string[]> {
  const there = await Promise.all(
    [config, data, state].map(async (path) => await statIfThere(path) ? [path] : []),
  );
  return there.flat();
}

function text(removed: readonly Removed[], left: readonly string[]): string {
  const files = removed.filter(({ became }) => became === "removed").map(({ path }) => `removed ${path}\n`);
  return `${files.join("")}${left.map((path) => `left    ${path}\n`).join("")}`;
}

function tell({ output }: Context, removed: readonly Removed[], sessions: number): void {
  for (const { path, became } of removed) {
    if (became === "changed") output.note(`note: ${path} is not as it was made, so it stays`);
  }
  if (sessions > 0) {
    output.note(`note: sessions of agents that ran (${sessions}) go on until they end by themselves`);
  }
  output.note("your data and configuration stay; remove those folders yourself where you want them gone");
}
