/** Where a value stands in a document: keys of tables and indexes of arrays, from the root. */
export type TomlPath = readonly (string | number)[];

const BARE = /^[A-Za-z0-9_-]+$/;

/** A key as it is written in TOML: bare where that is allowed, else quoted. */
export function tomlKey(key: string): string {
  return BARE.test(key) ? key : tomlString(key);
}

/** A text as a basic string of TOML. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}

/** The path as a person reads it: `secrets.api_key`, `case[2].expect."my key"`. */
export function formatPath(path: TomlPath): string {
  return path.map((step, at) => {
    if (typeof step === "number") return `[${step}]`;
    return (at === 0 ? "" : ".") + tomlKey(step);
  }).join("");
}
