/**
 * What a person reads. A language is one file beside this one, with the keys of `en.json`; a key it lacks is English.
 * @module
 */
import en from "./en.json";
import { format, type Values } from "./format.ts";

export { formatter } from "./intl.ts";

type Catalogue = { readonly [key: string]: string | Catalogue };

type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** Where a text stands in the catalogue: `apps.deploy.title`. */
export type TextKey = KeysOf<typeof en>;

const STORED = "handler-language";
const files = import.meta.glob<Catalogue>(["./*.json", "!./en.json"], { import: "default" });
let chosen: {
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly change: (text: string) => string;
} = {
  name: "en",
  catalogue: en,
  change: (text) => text,
};

/** The languages there are, by their tags. */
export const languages: readonly string[] = ["en", ...Object.keys(files).map((file) => file.slice(2, -5))];

/** The tag of the language in use, for `Intl` too. */
export function language(): string {
  return chosen.name === "pseudo" ? "en" : chosen.name;
}

/** The tag that the person has chosen; null where the browser decides. */
export function chosenLanguage(): string | null {
  return localStorage.getItem(STORED);
}

/** Takes the language the person has chosen, else the first of the browser's that there is. */
export async function loadLanguage(): Promise<void> {
  const wanted = [
    localStorage.getItem(STORED) ?? "",
    ...navigator.languages.map((tag) => tag.split("-")[0]!),
  ];
  if (wanted[0] === "pseudo") {
    const { pseudo } = await import("./pseudo.ts");
    chosen = { name: "pseudo", catalogue: en, change: pseudo };
    return;
  }
  const name = wanted.find((tag) => languages.includes(tag)) ?? "en";
  const load = files[`./${name}.json`];
  if (load) chosen = { name, catalogue: await load(), change: (text) => text };
}

/** Chooses a language; null goes by the browser again. The page is loaded anew. */
export function chooseLanguage(name: string | null): void {
  if (name === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, name);
  location.reload();
}

/** The text of a key, with its values put in. */
export function t(key: TextKey, values: Values = {}): string {
  const text = textAt(chosen.catalogue, key) ?? textAt(en, key) ?? key;
  return format(chosen.change(text), values, language());
}

/** Whether the catalogue has a text, for keys that are made of data: an error's code, a state. */
export function hasText(key: string): key is TextKey {
  return textAt(en, key) !== undefined;
}

function textAt(catalogue: Catalogue, key: string): string | undefined {
  let at: string | Catalogue | undefined = catalogue;
  for (const part of key.split(".")) {
    at = typeof at === "object" && Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return typeof at === "string" ? at : undefined;
}
