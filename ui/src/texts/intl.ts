type Kind<Options, Formatter> = new (language: string, options?: Options) => Formatter;

const made = new Map<unknown, Map<string, unknown>>();

/** A formatter of `Intl`, made once for a language and options: making one takes far longer than using it. */
export function formatter<Options, Formatter>(
  kind: Kind<Options, Formatter>,
  language: string,
  options?: Options,
): Formatter {
  const ofKind = made.get(kind) ?? new Map<string, unknown>();
  made.set(kind, ofKind);
  const key = `${language} ${JSON.stringify(options) ?? ""}`;
  const found = ofKind.get(key) as Formatter | undefined;
  if (found) return found;
  const fresh = new kind(language, options);
  ofKind.set(key, fresh);
  return fresh;
}
