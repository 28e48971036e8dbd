import { join } from "node:path";
import { HandlerError } from "../../src/base/mod.ts";
import { readText, writeAtomic } from "../../src/platform/mod.ts";
import type { SourcePart } from "./units.ts";

const IMPORT = /^import (?:type )?[^;]*? from "\.[^"]+";\n/gm;
const LEFT_OVER = /^(?:import\b.*|export (?:\*|\{).*|.*\bfrom ".*)$/m;
const LINTER_NOTE = /^\/\/ deno-lint-ignore-file.*\n/gm;

/** Puts sources into one file that imports nothing: in the given order, without what they import of each other. */
export async function putTogether(
  folder: string,
  parts: readonly SourcePart[],
  output: string,
): Promise<void> {
  const texts = await Promise.all(
    parts.map(async (part) => partOf(part, await readText(join(folder, part.path)))),
  );
  await writeAtomic(output, texts.join("\n"), 0o644);
}

/** A source as it stands in the one file. */
export function partOf({ path, isPublic }: SourcePart, text: string): string {
  const own = text.replaceAll(IMPORT, "").replaceAll(LINTER_NOTE, "").trimStart();
  const left = LEFT_OVER.exec(own)?.[0];
  if (left !== undefined) {
    throw new HandlerError("invalid", `it cannot be put together with others: ${left}`, {
      where: { file: path },
    });
  }
  return isPublic ? own : own.replaceAll(/^export /gm, "");
}
