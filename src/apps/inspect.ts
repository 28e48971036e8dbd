import { HandlerError, isObject, newId } from "../base/mod.ts";
import { beginsWith, walkFiles } from "../platform/mod.ts";
import type { Mount, SandboxSpec } from "../sandbox/mod.ts";
import { APP_INSIDE } from "./app_sandbox.ts";
import type { AppsPorts } from "./ports.ts";

/** Rows by table, tables named `notes.db: notes` where the app has more than one database. */
export type TableRows = Readonly<Record<string, number>>;

/** What was found in a copy of an app's data. */
export interface DataFound {
  readonly rows: TableRows;
  /** Rows that the earlier copy does not have, by table. */
  readonly lost: TableRows;
}

/** A copy that is looked at. */
export interface DataCopy {
  readonly app: string;
  /** The copy on the host; it is brought to rest there. */
  readonly folder: string;
  /** Where the data lies that it is a copy of: journals name each other by that path. */
  readonly livePath: string;
  /** An earlier copy at rest, to compare with. */
  readonly earlier?: string;
}

const EARLIER_INSIDE = "/earlier";
const LIMIT_MS = 10 * 60_000;
const MEMORY = 512 * 1024 * 1024;

/**
 * Opens and queries every database of a copy (contract H.4). That happens in a sandbox: an app can write a journal that has
 * SQLite delete any file that the one who opens the database may delete.
 *
 * @throws {HandlerError} `invalid` where a database does not count
 */
export async function inspectData(ports: AppsPorts, copy: DataCopy): Promise<DataFound> {
  if (!await hasDatabase(copy.folder)) return { rows: {}, lost: {} };
  const sandbox = await ports.startSandbox(inspectSandbox(ports, copy));
  const { code, reason } = await sandbox.exited;
  const answer = answerIn(sandbox.log());
  if (answer?.found) return answer.found;
  const why = answer?.problem ?? `looking at it ended with ${code} (${reason})`;
  throw new HandlerError("invalid", `the copy of the data of ${copy.app} does not count: ${why}`);
}

async function hasDatabase(folder: string): Promise<boolean> {
  for (const { path, kind } of await walkFiles(folder)) {
    if (kind === "file" && await beginsWith(`${folder}/${path}`, "SQLite format 3\0")) return true;
  }
  return false;
}

function inspectSandbox({ guestFolder }: AppsPorts, copy: DataCopy): SandboxSpec {
  const { app, folder, livePath, earlier } = copy;
  const compared: Mount[] = earlier ? [{ source: earlier, target: EARLIER_INSIDE, mode: "rw" }] : [];
  const task = { data: livePath, ...(earlier ? { earlier: EARLIER_INSIDE } : {}) };
  return {
    name: `data-${app}-${newId().slice(-11)}`,
    kind: "app",
    program: {
      kind: "deno",
      entry: `${APP_INSIDE.guest}/app_data.js`,
      args: [JSON.stringify(task)],
      permissions: {
        read: [livePath, EARLIER_INSIDE, "/tmp"],
        write: [livePath, "/tmp"],
        allFiles: true,
        run: [],
        env: true,
        sys: [],
        loopback: false,
      },
    },
    env: {},
    secretEnv: {},
    mounts: [
      { source: guestFolder, target: APP_INSIDE.guest, mode: "ro" },
      { source: folder, target: livePath, mode: "rw" },
      ...compared,
    ],
    cwd: "/tmp",
    egress: [],
    memoryBytes: MEMORY,
    pids: 64,
    timeoutMs: LIMIT_MS,
    outlivesDaemon: false,
    labels: { app },
  };
}

interface Answer {
  readonly found?: DataFound;
  readonly problem?: string;
}

/** The last line, taken for what it may be and nothing else: the databases were the app's. */
function answerIn(log: string): Answer | undefined {
  const line = log.trimEnd().split("\n").at(-1) ?? "";
  try {
    const { found, problem }: Record<string, unknown> = JSON.parse(line);
    if (typeof problem === "string") return { problem: problem.replaceAll(/\p{Cc}/gu, " ").slice(0, 400) };
    if (isObject(found)) return { found: { rows: countsOf(found.rows), lost: countsOf(found.lost) } };
  } catch {
    // said by the caller
  }
  return undefined;
}

function countsOf(value: unknown): TableRows {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.map(([table, count]) => [table.replaceAll(/\p{Cc}/gu, "?").slice(0, 200), Number(count)]),
  );
}
