import type { Json } from "$client";
import { isRecord } from "$lib/schema.ts";

/** A line of a page and where it stands: left, top, right, bottom. */
export interface Block {
  readonly text: string;
  readonly bbox: readonly [number, number, number, number];
}

/** A page that was read. */
export interface ReadPage {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The pages of a result that has such; undefined for one of another kind. */
export function pagesOf(result: Json): readonly ReadPage[] | undefined {
  if (!isRecord(result) || !Array.isArray(result.pages)) return undefined;
  const pages = result.pages.flatMap((page) => {
    if (!isRecord(page) || typeof page.text !== "string") return [];
    const blocks = Array.isArray(page.blocks) ? page.blocks.filter(isBlock) : [];
    return [{ text: page.text, blocks: blocks as unknown as readonly Block[] }];
  });
  return pages.length === result.pages.length ? pages : undefined;
}

function isBlock(block: Json): boolean {
  return isRecord(block) && typeof block.text === "string" && Array.isArray(block.bbox) &&
    block.bbox.length === 4 && block.bbox.every((side) => typeof side === "number");
}

/** The text that a result is, where it is one: `text` of a record, or all of its pages'. */
export function textOf(result: Json): string | undefined {
  const pages = pagesOf(result);
  if (pages) return pages.map(({ text }) => text.trimEnd()).join("\n\n");
  if (typeof result === "string") return result;
  return isRecord(result) && typeof result.text === "string" ? result.text : undefined;
}

/** A list of flat records, as a table has it; undefined for anything else. */
export function tableOf(
  value: Json | undefined,
):
  | { readonly columns: readonly string[]; readonly rows: readonly { readonly [key: string]: Json }[] }
  | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined;
  const rows = value as readonly { readonly [key: string]: Json }[];
  const flat = rows.every((row) =>
    Object.values(row).every((one) => one === null || typeof one !== "object")
  );
  if (!flat) return undefined;
  return { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}
