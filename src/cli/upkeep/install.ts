import { HANDLER_VERSION, HandlerError } from "../../base/mod.ts";
import { ensureFolder, findProgram, homeFolder, isCompiled, run, system } from "../../platform/mod.ts";
import type { Context } from "../command.ts";
import { confirm } from "../confirm.ts";
import { endDaemon } from "../end_daemon.ts";
import { EXIT } from "../exit.ts";
import { usage } from "../parsed.ts";
import { runningProgram } from "./launch.ts";
import { type Manager, managerOf } from "./manager.ts";
import { listed, type Made, make } from "./piece.ts";
import { type InstallPlan, planInstall } from "./plan.ts";
import { statusOf, waitUntilReady } from "./ready.ts";
import { type InstallRecord, readRecord, writeRecord } from "./record.ts";
import { planText } from "./text.ts";

/** How long the first start may take. */
const READY_MS = 60_000;

/** `handler install`. Gives the exit code. */
export async function install(context: Context): Promise<number> {
  const { parsed, folders, output } = context;
  const filesOnly = parsed.flag("files-only");
  if (parsed.flag("in-place") && !isCompiled) {
    throw usage(
      parsed.command,
      "--in-place is for the compiled program; a checkout is always used where it lies",
    );
  }
  const manager = managerOf(system.os);
  const record = await readRecord(folders);
  const plan = await planInstall({
    folders,
    home: homeFolder(),
    running: runningProgram(),
    inPlace: parsed.flag("in-place"),
    filesOnly,
    manager,
    record,
  });
  if (parsed.flag("dry-run")) {
    report(context, plan, { done: false, pid: null });
    return EXIT.done;
  }
  if (!filesOnly) await manager.check();
  const pid = await carryOut(context, plan, manager, record, filesOnly);
  report(context, plan, { done: true, pid });
  await tell(context, plan, filesOnly);
  if (!filesOnly) output.next("handler open");
  return EXIT.done;
}

async function carryOut(
  context: Context,
  plan: InstallPlan,
  manager: Manager,
  record: InstallRecord | undefined,
  filesOnly: boolean,
): Promise<number | null> {
  const other = filesOnly ? undefined : await byHand(plan, manager);
  const changes = plan.pieces.some(({ state }) => state !== "same");
  const runs = filesOnly || (record?.manager === manager.name && await manager.pid() !== undefined);
  if (changes || !runs || other !== undefined) {
    if (!context.output.json && !context.parsed.flag("yes")) context.output.note(planText(plan, other));
    confirm(context, {
      text: filesOnly ? "Write these files?" : "Install this?",
      about: "whether this may be installed",
      hint: "look at it with --dry-run, then use --yes",
    });
  }
  await ensureFolder(folderOf(plan));
  await writeFiles(context, plan, filesOnly ? record?.manager ?? null : manager.name, record);
  return filesOnly ? null : await startService(context, plan, manager, { other, changes });
}

function folderOf({ launch }: InstallPlan): string {
  return launch.log.slice(0, launch.log.lastIndexOf("/"));
}

/** The process of a daemon that a person has started without the manager. */
async function byHand({ launch }: InstallPlan, manager: Manager): Promise<number | undefined> {
  const own = await manager.pid();
  if (own !== undefined) return undefined;
  return (await statusOf(launch.socket))?.pid;
}

/** The list is written before the first file, so that whatever happens, all of it can be found again. */
async function writeFiles(
  { folders }: Context,
  plan: InstallPlan,
  manager: InstallRecord["manager"],
  record: InstallRecord | undefined,
): Promise<void> {
  const { program, copied } = plan;
  const made = new Map<string, Made>((record?.made ?? []).map((one) => [one.path, one]));
  const keep = () =>
    writeRecord(folders, {
      schema: 1,
      version: HANDLER_VERSION,
      program,
      copied,
      manager,
      made: [...made.values()],
    });
  for (const { piece, state } of plan.pieces) {
    made.set(piece.path, state === "same" ? await listed(piece) : await make(piece));
    await keep();
  }
}

async function startService(
  { clock, daemon }: Context,
  plan: InstallPlan,
  manager: Manager,
  { other, changes }: { readonly other: number | undefined; readonly changes: boolean },
): Promise<number> {
  const { socket } = plan.launch;
  if (other !== undefined) await endDaemon(daemon);
  const before = await manager.pid();
  await manager.start(changes);
  const status = await waitUntilReady({
    socket,
    clock,
    limitMs: READY_MS,
    wanted: ({ pid }) => !changes || pid !== before,
    hopeless: () => manager.gaveUp(),
  });
  if (status) return status.pid;
  throw new HandlerError("unavailable", `handlerd did not get ready in ${READY_MS / 1000} s`, {
    hint: `see ${manager.journal}`,
  });
}

function report(
  { output }: Context,
  plan: InstallPlan,
  { done, pid }: { done: boolean; pid: number | null },
): void {
  const files = plan.pieces.map(({ piece, state }) => ({
    does: piece.does,
    path: piece.path,
    state,
    content: piece.does === "write" ? piece.text : null,
    target: piece.does === "link" ? piece.target : piece.does === "copy" ? piece.from : null,
  }));
  const { program, commands, launch, notes } = plan;
  output.data(
    { done, version: HANDLER_VERSION, pid, program, socket: launch.socket, files, commands, notes },
    () => {
      if (!done) return planText(plan, undefined, { contents: true });
      return pid === null
        ? `the files are written\n`
        : `handlerd ${HANDLER_VERSION} runs as a service, process ${pid}\n`;
    },
  );
}

async function tell({ output }: Context, { notes }: InstallPlan, filesOnly: boolean): Promise<void> {
  for (const note of notes) output.note(`note: ${note}`);
  if (filesOnly || system.os !== "linux" || await lingers() !== false) return;
  output.note(
    "note: it ends when you log out of the last session; `loginctl enable-linger` keeps it running",
  );
}

/** Whether this user's services go on without a login; undefined where nobody knows. */
async function lingers(): Promise<boolean | undefined> {
  if (!await findProgram("loginctl")) return undefined;
  const asked = run(["loginctl", "show-user", "--property=Linger", "--value"], {
    inheritEnv: true,
    timeoutMs: 5_000,
  });
  const { code, stdout } = await asked.catch(() => ({ code: 1, stdout: "" }));
  return code === 0 ? stdout.trim() === "yes" : undefined;
}
