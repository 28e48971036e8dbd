import { nearest } from "../base/mod.ts";

/** `did you mean "x"?` as the details of an error; else the known names where they are few; else nothing. */
export function meantHint(found: string, known: readonly string[]): { readonly hint?: string } {
  const near = nearest(found, known);
  if (near !== undefined) return { hint: `did you mean ${JSON.stringify(near)}?` };
  if (known.length === 0 || known.length > 12) return {};
  return { hint: `known: ${known.toSorted().join(", ")}` };
}
