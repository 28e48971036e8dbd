/** The kinds of a secret's reference that a person writes, and one that is typed once and kept. */
export const WAYS = ["typed", "store", "env", "file", "command"] as const;

/** Where a secret comes from. */
export type Way = (typeof WAYS)[number];

/** A secret as a form has it: where it comes from, and the rest of the reference, or the value that is typed. */
export interface SecretDraft {
  readonly way: Way | "none";
  readonly value: string;
}

/** A name of a file for words: `Mistral, personal key` is `mistral-personal-key`; free among `taken`. */
export function nameFor(words: string, taken: Iterable<string>): string {
  const plain = words.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const name = plain.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^[^a-z]+|-+$/g, "").slice(0, 50).replace(
    /-+$/,
    "",
  );
  return freeName(name || "provider", taken);
}

/** The name itself, else with the first number that makes it free. */
export function freeName(name: string, taken: Iterable<string>): string {
  const all = new Set(taken);
  if (!all.has(name)) return name;
  let number = 2;
  while (all.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** A reference as a form shows it: `store:key` comes from the store and is called `key`. */
export function draftOf(reference: string | undefined): SecretDraft {
  if (reference === undefined) return { way: "none", value: "" };
  const at = reference.indexOf(":");
  const way = WAYS.find((one) => one === reference.slice(0, at));
  return way === undefined || way === "typed"
    ? { way: "none", value: "" }
    : { way, value: reference.slice(at + 1) };
}

/** A number as a person writes it, with a comma too; undefined for what is none. */
export function priceOf(text: string): number | undefined {
  const plain = text.trim().replace(",", ".");
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}
