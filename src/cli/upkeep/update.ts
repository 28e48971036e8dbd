import { type Clock, errorText, HandlerError } from "../../base/mod.ts";
import {
  fileSha256,
  type Lock,
  run,
  signalProcess,
  statIfThere,
  system,
  takeLock,
} from "../../platform/mod.ts";
import type { Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { usage } from "../parsed.ts";
import { takeCandidate } from "./candidate.ts";
import { type Manager, managerOf } from "./manager.ts";
import { waitUntilReady } from "./ready.ts";
import { type InstallRecord, readRecord, writeRecord } from "./record.ts";
import { sourceOf } from "./source.ts";
import { exchange, type ProgramFiles, programFiles, putBack, putInPlace } from "./swap.ts";
import { updateUrl } from "./update_url.ts";

/** How long a new program may take until it is ready, in milliseconds. */
const READY_MS = 20_000;
/** The one before it has been ready once, and may be slow on a machine that has much to do. */
const RETURN_MS = 60_000;

/** An installation whose program can be replaced. */
interface Installed {
  readonly record: InstallRecord;
  readonly files: ProgramFiles;
  readonly manager: Manager | undefined;
}

/** What an update came to. */
interface Outcome {
  readonly state: "updated" | "same" | "back";
  readonly version: string;
  readonly was: string;
  readonly pid: number | null;
}

/** `handler update`. Gives the exit code. */
export async function update(context: Context): Promise<number> {
  const { parsed, folders, output } = context;
  const back = parsed.flag("back");
  if (back && ["from", "sha256", "sums"].some((name) => parsed.value(name) !== undefined)) {
    throw usage(parsed.command, "--back takes no other program");
  }
  const installed = await installedProgram(context);
  using _alone = await onlyOne(`${folders.data}/update.lock`);
  const outcome = back ? await goBack(context, installed) : await replace(context, installed);
  output.data({ ...outcome }, () => outcomeText(outcome));
  if (outcome.pid === null && outcome.state !== "same") {
    output.note(
      "no service is installed, so start handlerd anew yourself: `handler shutdown`, then as you started it",
    );
  }
  return EXIT.done;
}

async function installedProgram({ folders }: Context): Promise<Installed> {
  const record = await readRecord(folders);
  if (!record?.copied || record.program === null) {
    const why = record === undefined
      ? "nothing is installed here"
      : record.program === null
      ? "a checkout is installed, which is brought up to date by git"
      : `${record.program} was not copied by Handler, so it is not replaced`;
    throw new HandlerError("conflict", why, {
      hint: "`handler install` with a compiled program makes a copy",
    });
  }
  const manager = record.manager === null ? undefined : managerOf(system.os);
  await manager?.check();
  return { record, files: programFiles(record.program), manager };
}

async function onlyOne(path: string): Promise<Lock> {
  try {
    return await takeLock(path);
  } catch (error) {
    if (!(error instanceof HandlerError) || error.kind !== "conflict") throw error;
    throw new HandlerError("conflict", "another update is under way", { cause: error });
  }
}

async function replace(context: Context, installed: Installed): Promise<Outcome> {
  const { parsed, folders, cwd, output } = context;
  const { record, files } = installed;
  const source = await sourceOf({
    from: parsed.value("from"),
    sha256: parsed.value("sha256"),
    sums: parsed.value("sums"),
    url: await updateUrl(folders),
    cwd,
  });
  const was = await versionNow(files, record);
  if (await statIfThere(files.program) && await fileSha256(files.program) === source.sha256) {
    return { state: "same", version: was, was, pid: null };
  }
  output.note(`taking ${source.place}`);
  const downgrade = parsed.flag("downgrade");
  const version = await takeCandidate(source, files.fresh, { installed: was, downgrade });
  output.note(`its SHA-256 is right, and it is Handler ${version}`);
  const pid = await switchTo(context, installed, { version, was, place: () => putInPlace(files) });
  return { state: "updated", version, was, pid };
}

async function goBack(context: Context, installed: Installed): Promise<Outcome> {
  const { files, record } = installed;
  const was = await versionNow(files, record);
  if (await statIfThere(files.before) === undefined) await exchange(files); // says that there is none
  const version = await saidVersion(files.before) ?? "";
  const pid = await switchTo(context, installed, { version, was, place: () => exchange(files) });
  return { state: "back", version, was, pid };
}

async function versionNow({ program }: ProgramFiles, record: InstallRecord): Promise<string> {
  return await saidVersion(program) ?? record.version;
}

async function saidVersion(program: string): Promise<string | undefined> {
  const asked = run([program, "--version"], { inheritEnv: true, timeoutMs: 10_000 });
  const { stdout } = await asked.catch(() => ({ stdout: "" }));
  return /^handlerd (\S+)$/m.exec(stdout)?.[1];
}

/** What is to take the place of the installed program, and how. */
interface Switch {
  readonly version: string;
  readonly was: string;
  readonly place: () => Promise<void>;
}

/** @returns the new daemon's process; null where no service runs it */
async function switchTo(context: Context, installed: Installed, next: Switch): Promise<number | null> {
  const { record, files, manager } = installed;
  const { output, folders, clock } = context;
  const socket = `${folders.runtime}/handlerd.sock`;
  const before = await manager?.pid();
  await next.place();
  if (manager) {
    output.note("starting handlerd anew");
    const pid = await startedAs(manager, { socket, clock, before, version: next.version, limitMs: READY_MS });
    if (pid === undefined) throw await returned(context, installed, next);
    await keep(context, record, files, next.version);
    return pid;
  }
  await keep(context, record, files, next.version);
  return null;
}

async function startedAs(
  manager: Manager,
  { socket, clock, before, version, limitMs }: {
    readonly socket: string;
    readonly clock: Clock;
    readonly before: number | undefined;
    readonly version: string;
    readonly limitMs: number;
  },
): Promise<number | undefined> {
  await manager.restart();
  const status = await waitUntilReady({
    socket,
    clock,
    limitMs,
    wanted: (now) => now.pid !== before && now.version === version,
    hopeless: () => manager.gaveUp(),
  });
  return status?.pid;
}

/** Puts the old program back and gives the error that says so. */
async function returned(
  { output, folders, clock }: Context,
  { files, manager }: Installed,
  { version, was }: Switch,
): Promise<HandlerError> {
  output.note(`Handler ${version} does not get ready; going back to ${was}`);
  await putBack(files);
  const socket = `${folders.runtime}/handlerd.sock`;
  const before = await manager?.pid();
  if (before !== undefined) signalProcess(before, "SIGKILL"); // it may not listen to anything milder
  const pid = manager &&
    await startedAs(manager, { socket, clock, before, version: was, limitMs: RETURN_MS });
  const after = pid === undefined ? "which does not get ready either" : `which runs, process ${pid}`;
  return new HandlerError(
    "invalid",
    `Handler ${version} did not get ready; ${was} is back, ${after}`,
    { hint: `see ${manager?.journal ?? "its log"}` },
  );
}

/** The list follows; where it cannot be written, the update stands all the same. */
async function keep(
  { folders, output }: Context,
  record: InstallRecord,
  { program }: ProgramFiles,
  version: string,
): Promise<void> {
  try {
    const mark = await fileSha256(program);
    const made = record.made.map((one) => (one.path === program ? { ...one, mark } : one));
    await writeRecord(folders, { ...record, version, made });
  } catch (error) {
    output.note(`note: the list of what is installed could not be written: ${errorText(error)}`);
  }
}

function outcomeText({ state, version, was, pid }: Outcome): string {
  if (state === "same") return `Handler ${version} is this program already\n`;
  const runs = pid === null ? "" : ` and runs, process ${pid}`;
  return `Handler ${version} is in the place of ${was}${runs}\n`;
}
