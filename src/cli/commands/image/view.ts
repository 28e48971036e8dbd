import type { ImageView } from "../../../client/mod.ts";
import { pairs } from "../../table.ts";
import { plain } from "../../text.ts";

/** The image in words. */
export function imageText({ wanted, present, usable, why }: ImageView): string {
  return plain(pairs([
    ["image", wanted],
    ["here", present.join(", ") || "none"],
    ["usable", usable ? "yes" : `no${why === null ? "" : `: ${why}`}`],
  ]));
}
