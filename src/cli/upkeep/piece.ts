import { HandlerError } from "../../base/mod.ts";
import {
  ensureFolder,
  fileSha256,
  linkTarget,
  linkTo,
  readChunks,
  readTextIfThere,
  removeQuietly,
  rename,
  statIfThere,
  writeAtomic,
  writeHashed,
} from "../../platform/mod.ts";
import { dirname } from "node:path";
import { MARK } from "./units.ts";

/** A file or a link that an installation consists of. */
export type Piece =
  | { readonly does: "copy"; readonly path: string; readonly from: string }
  | { readonly does: "write"; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly does: "link"; readonly path: string; readonly target: string };

/** How a piece stands to what is there: `taken` is something that Handler did not make. */
export type PieceState = "new" | "same" | "changed" | "taken";

/** What was made, as an installation's list has it: a file's SHA-256, or where a link points. */
export interface Made {
  readonly path: string;
  readonly kind: "file" | "link";
  readonly mark: string;
}

/** Compares a piece with what is at its path; `made` is what earlier installations have listed. */
export async function stateOf(piece: Piece, made: readonly Made[]): Promise<PieceState> {
  const there = await statIfThere(piece.path);
  if (!there) return "new";
  const ours = made.some(({ path }) => path === piece.path);
  if (piece.does === "link" && there.isSymlink && await linkTarget(piece.path) === piece.target) {
    return "same";
  }
  if (piece.does !== "link" && there.isFile && await contentIs(piece)) return "same";
  if (ours && (there.isFile || there.isSymlink)) return "changed";
  return piece.does === "write" && there.isFile && await isMarked(piece.path) ? "changed" : "taken";
}

async function contentIs(piece: Exclude<Piece, { does: "link" }>): Promise<boolean> {
  if (piece.does === "write") return await readTextIfThere(piece.path) === piece.text;
  return piece.from === piece.path || await fileSha256(piece.path) === await fileSha256(piece.from);
}

/** Only small files are ours by their words. */
async function isMarked(path: string): Promise<boolean> {
  const size = (await statIfThere(path))?.size ?? Infinity;
  return size < 64 * 1024 && (await readTextIfThere(path) ?? "").includes(MARK);
}

/** Makes a piece whole or not at all, in place of what was there. */
export async function make(piece: Piece): Promise<Made> {
  await ensureFolder(dirname(piece.path), 0o755);
  switch (piece.does) {
    case "link":
      await linkTo(piece.target, piece.path);
      return { path: piece.path, kind: "link", mark: piece.target };
    case "write":
      await writeAtomic(piece.path, piece.text, piece.mode);
      return { path: piece.path, kind: "file", mark: await fileSha256(piece.path) };
    case "copy":
      return { path: piece.path, kind: "file", mark: await copyProgram(piece.from, piece.path) };
  }
}

async function copyProgram(from: string, to: string): Promise<string> {
  const fresh = `${to}.new`;
  await removeQuietly(fresh);
  try {
    const mark = await writeHashed(await readChunks(from), fresh, 0o755);
    await rename(fresh, to);
    return mark;
  } catch (error) {
    await removeQuietly(fresh);
    throw new HandlerError("unavailable", `the program could not be copied to ${to}`, { cause: error });
  }
}

/** What there is to list of a piece that stands already as it should. */
export async function listed(piece: Piece): Promise<Made> {
  if (piece.does === "link") return { path: piece.path, kind: "link", mark: piece.target };
  return { path: piece.path, kind: "file", mark: await fileSha256(piece.path) };
}

/** What became of something that was made. */
export type Removal = "removed" | "gone" | "changed";

/** Takes away what was made; what is no longer as it was made is somebody's own and stays. */
export async function unmake({ path, kind, mark }: Made): Promise<Removal> {
  const there = await statIfThere(path);
  if (!there) return "gone";
  const same = kind === "link"
    ? there.isSymlink && await linkTarget(path) === mark
    : there.isFile && await fileSha256(path) === mark;
  if (!same) return "changed";
  await removeQuietly(path);
  return "removed";
}
