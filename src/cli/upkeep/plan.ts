import { join } from "node:path";
import { HANDLER_VERSION, HandlerError } from "../../base/mod.ts";
import { env, type Folders, ownCommand, realPath } from "../../platform/mod.ts";
import { COMMAND_NAMES, type Launch, launchOf } from "./launch.ts";
import type { Command, Manager } from "./manager.ts";
import { type Made, type Piece, type PieceState, stateOf } from "./piece.ts";
import { shellWord } from "./quote.ts";
import type { InstallRecord } from "./record.ts";
import { MARK } from "./units.ts";
import { isOlder } from "./version.ts";

/** What an installation is made of here, and how each piece stands. */
export interface InstallPlan {
  readonly pieces: readonly { readonly piece: Piece; readonly state: PieceState }[];
  /** The program that is started; null for a checkout. */
  readonly program: string | null;
  readonly copied: boolean;
  readonly launch: Launch;
  readonly commands: readonly Command[];
  /** What a person should know of it. */
  readonly notes: readonly string[];
}

/** What {@linkcode planInstall} needs. */
export interface PlanParts {
  readonly folders: Folders;
  readonly home: string;
  /** The compiled program that runs now; undefined in a checkout. */
  readonly running: string | undefined;
  /** Start the running program where it lies. */
  readonly inPlace: boolean;
  readonly filesOnly: boolean;
  readonly manager: Manager;
  readonly record: InstallRecord | undefined;
}

/**
 * Looks at what is there and says what would be made. Nothing is written.
 *
 * @throws {HandlerError} `conflict` where a file that the service needs is somebody else's, or a newer Handler is there
 */
export async function planInstall(parts: PlanParts): Promise<InstallPlan> {
  const { folders, home, running, manager, record } = parts;
  checkVersion(record);
  const bin = `${folders.data}/bin`;
  const copied = running !== undefined && !parts.inPlace;
  const program = copied ? `${bin}/handlerd` : running === undefined ? undefined : await realPath(running);
  const launch = await launchOf(program, folders, home);
  const needed = [
    ...(copied ? [{ does: "copy", path: `${bin}/handlerd`, from: running } as const] : []),
    ...commandPieces(bin, program),
    ...await manager.pieces(launch),
  ];
  const names = linkPieces(home, bin);
  const made = record?.made ?? [];
  const judged = await judge([...needed, ...names.pieces], made);
  checkTaken(judged.filter(({ piece }) => needed.includes(piece)));
  const skipped = judged.filter(({ state }) => state === "taken").map(({ piece }) => piece.path);
  return {
    pieces: judged.filter(({ state }) => state !== "taken"),
    program: program ?? null,
    copied,
    launch,
    commands: parts.filesOnly ? [] : manager.enable,
    notes: [...names.notes, ...skipped.map((path) => `${path} is somebody else's and stays as it is`)],
  };
}

function checkVersion(record: InstallRecord | undefined): void {
  if (!record || !isOlder(HANDLER_VERSION, record.version)) return;
  throw new HandlerError(
    "conflict",
    `Handler ${record.version} is installed, this one is ${HANDLER_VERSION}`,
    {
      hint: "`handler uninstall` first, if the older one is what you want",
    },
  );
}

async function judge(pieces: readonly Piece[], made: readonly Made[]) {
  return await Promise.all(pieces.map(async (piece) => ({ piece, state: await stateOf(piece, made) })));
}

function checkTaken(pieces: InstallPlan["pieces"]): void {
  const taken = pieces.filter(({ state }) => state === "taken").map(({ piece }) => piece.path);
  if (taken.length === 0) return;
  const are = taken.length === 1 ? "is there and was" : "are there and were";
  throw new HandlerError("conflict", `${taken.join(" and ")} ${are} not made by Handler`, {
    hint: "move that away",
  });
}

/** The commands beside the program: links to it, or small scripts where a checkout runs. */
function commandPieces(bin: string, program: string | undefined): readonly Piece[] {
  if (program === undefined) {
    return COMMAND_NAMES.map((name) => ({
      does: "write",
      path: `${bin}/${name}`,
      text: script(name),
      mode: 0o755,
    }));
  }
  const target = program === `${bin}/handlerd` ? "handlerd" : program;
  return COMMAND_NAMES.filter((name) => target !== name).map((name) => ({
    does: "link",
    path: `${bin}/${name}`,
    target,
  }));
}

function script(name: string): string {
  return `#!/bin/sh\n# ${MARK}\nexec ${ownCommand(name).map(shellWord).join(" ")} "$@"\n`;
}

/** Links where a shell finds them, and what to say where it looks elsewhere. */
function linkPieces(
  home: string,
  bin: string,
): { readonly pieces: readonly Piece[]; readonly notes: readonly string[] } {
  const folder = `${home}/.local/bin`;
  const searched = (env("PATH") ?? "").split(":").map((path) => path.replace(/\/+$/, ""));
  if (!searched.includes(folder)) {
    const note = `${folder} is not on your PATH, so the commands are in ${bin} alone: ` +
      `add one of the two to PATH in your shell's profile`;
    return { pieces: [], notes: searched.includes(bin) ? [] : [note] };
  }
  const link = (name: string): Piece => ({
    does: "link",
    path: join(folder, name),
    target: `${bin}/${name}`,
  });
  return { pieces: COMMAND_NAMES.map(link), notes: [] };
}
