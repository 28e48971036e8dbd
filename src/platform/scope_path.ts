import { isAbsolute, join, relative } from "node:path";
import { HandlerError } from "../base/mod.ts";

/** The path relative to the scope, with every `..` settled by text; links are settled by {@linkcode proveFolders}. */
export function pathInside(root: string, scope: string, path: string): string {
  if (path === "" || path.includes("\0")) throw refused("the path is empty or holds a NUL");
  const given = isAbsolute(path) ? path : join(root, path);
  const fromRoot = relative(root, given);
  const rest = leads(fromRoot) ? fromRoot : relative(scope, given);
  if (!leads(rest)) throw refused("the path leads out of the work folder");
  return rest;
}

function leads(rest: string): boolean {
  return rest !== "" && rest !== ".." && !rest.startsWith("../") && !isAbsolute(rest);
}

/** Every folder from the scope down must be a folder itself: a link on the way could lead anywhere. */
export async function proveFolders(root: string, below: string): Promise<void> {
  let at = root;
  for (const part of below === "." ? [] : below.split("/")) {
    at = join(at, part);
    const info = await Deno.lstat(at);
    if (info.isSymlink) throw refused("a folder on the path is a link");
    if (!info.isDirectory) throw missing();
  }
}

/** A path that leads where it must not. */
export function refused(why: string): HandlerError {
  return new HandlerError("denied", `the file was refused: ${why}`);
}

/** Nothing is there. */
export function missing(): HandlerError {
  return new HandlerError("not_found", "there is no file at that path in the work folder");
}
