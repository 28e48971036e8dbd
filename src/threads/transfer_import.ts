import { HandlerError } from "../base/mod.ts";
import { ensureFolder, removeAll, writeAtomic } from "../platform/mod.ts";
import type { LoggedError, ThreadRow, ThreadWrites } from "../store/mod.ts";
import type { ThreadsPorts } from "./ports.ts";
import { fromBase64 } from "./state/base64.ts";
import { threadPath } from "./state/files.ts";
import { FORMAT, parsed, readLine, type TransferLine, wrong } from "./transfer_lines.ts";

const INTERRUPTED: LoggedError = {
  message: "the thread was exported while this was under way; it is not run again",
  type: "interrupted_incomplete",
  origin: "runtime",
};

/**
 * Brings back what `exportThread` gave, all of it or nothing: under the same ids, in `project` where one is given. What
 * was under way is interrupted.
 *
 * @returns the threads, the first one that of the export
 * @throws {HandlerError} `invalid` for a broken export, `conflict` for ids that are taken
 */
export async function importThread(
  ports: ThreadsPorts,
  lines: AsyncIterable<string>,
  project: string | undefined,
): Promise<readonly ThreadRow[]> {
  const all = await readLines(lines);
  const threads = threadsOf(all, project);
  for (const { id, project } of threads) {
    if (ports.store.thread(id)) throw taken(id);
    if (!ports.isProject(project)) {
      throw new HandlerError("not_found", `there is no project "${project}"`, {
        hint: "name another with --project",
      });
    }
  }
  try {
    await writeFiles(ports, all);
    await ports.store.write("power", (tx) => {
      for (const thread of threads) {
        if (tx.thread(thread.id)) throw taken(thread.id);
        tx.insertThread(thread);
      }
      for (const line of all) writeRow(tx, line, ports.clock.now() * 1000);
    });
  } catch (error) {
    for (const { id } of threads) {
      if (!ports.store.thread(id)) await removeAll(`${ports.filesFolder}/${id}`);
    }
    throw error;
  }
  return threads;
}

async function readLines(lines: AsyncIterable<string>): Promise<readonly TransferLine[]> {
  const all: TransferLine[] = [];
  let number = 0, ended = false;
  for await (const text of lines) {
    number++;
    if (text.trim() === "") continue;
    if (ended) throw wrong(number, "stands behind the end");
    if (number === 1) checkFormat(text);
    else if (text.startsWith('{"end":')) ended = parsed(text, number).lines === all.length;
    else all.push(readLine(text, number));
  }
  if (!ended) {
    throw new HandlerError("invalid", "the export is not whole: its last line does not count its rows");
  }
  return all;
}

function checkFormat(text: string): void {
  const { format } = parsed(text, 1);
  if (format !== FORMAT) {
    throw wrong(1, `must say the format ${FORMAT}, found ${JSON.stringify(format ?? null)}`);
  }
}

/** The threads as they begin here; each other row must be of one of them. */
function threadsOf(all: readonly TransferLine[], project: string | undefined): readonly ThreadRow[] {
  const ids = new Set<string>();
  const threads: ThreadRow[] = [];
  all.forEach((line, index) => {
    if (line.kind !== "thread") {
      if (!ids.has(line.row.thread)) throw wrong(index + 2, `is of a thread that does not stand before it`);
      return;
    }
    const { row } = line;
    if (!/^[0-9a-z]{1,40}$/.test(row.id) || ids.has(row.id)) {
      throw wrong(index + 2, "has a thread with no id of its own");
    }
    if (threads.length > 0 && !ids.has(row.link?.parent ?? "")) {
      throw wrong(index + 2, "is a child of a thread elsewhere");
    }
    ids.add(row.id);
    threads.push(arrived(row, project, threads.length === 0));
  });
  if (threads.length === 0) throw new HandlerError("invalid", "the export holds no thread");
  return threads;
}

/** A child that comes alone is nobody's child here. */
function arrived(row: ThreadRow, project: string | undefined, first: boolean): ThreadRow {
  return {
    ...row,
    project: project ?? row.project,
    link: first ? null : row.link,
    turn: null,
    status: row.status === "running" ? "idle" : row.status,
  };
}

async function writeFiles(ports: ThreadsPorts, all: readonly TransferLine[]): Promise<void> {
  for (const line of all) {
    if (line.kind !== "file" || line.row.isDirectory) continue;
    const { thread, path, bytes } = line.row;
    const place = `${ports.filesFolder}/${thread}${threadPath("import", path)}`;
    await ensureFolder(place.slice(0, place.lastIndexOf("/")));
    await writeAtomic(place, fromBase64(bytes ?? ""), 0o644);
  }
}

function writeRow(tx: ThreadWrites, line: TransferLine, now: number): void {
  if (line.kind === "message") tx.insertMessage(line.row);
  else if (line.kind === "turn") {
    const { row } = line;
    tx.insertTurn(
      row.state === "running" ? { ...row, state: "interrupted", endedAt: now, error: INTERRUPTED } : row,
    );
  } else if (line.kind === "log") {
    const { row } = line;
    tx.insertLog(row.complete ? row : { ...row, complete: true, error: INTERRUPTED });
  } else if (line.kind === "session") tx.putSession(line.row);
  else if (line.kind === "value") tx.putValue(line.row.thread, line.row.key, line.row.value);
  else if (line.kind === "effect") tx.insertEffect(line.row);
  else if (line.kind === "env" && line.row.type === "text") {
    const { name, value, type } = line.row;
    tx.putEnv(line.row.thread, { name, value, type });
  } else if (line.kind === "file") {
    const { bytes: _bytes, ...row } = line.row;
    tx.putFile({ ...row, path: threadPath("import", row.path) });
  }
}

function taken(id: string): HandlerError {
  return new HandlerError("conflict", `there is a thread ${id} already`, {
    hint: `remove it first: handler thread remove ${id}`,
  });
}
