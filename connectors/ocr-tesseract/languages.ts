/** ISO 639-1 to the name of Tesseract's data; one for each data file in `assets/`. */
const DATA: Readonly<Record<string, string>> = {
  de: "deu",
  en: "eng",
  es: "spa",
  fr: "fra",
  it: "ita",
};

/**
 * The data to read with, the main language first. Codes without data are passed over, as the interface says; where
 * none is left, the fallback's count.
 */
export function dataFor(
  languages: readonly string[],
  fallback: readonly string[],
): readonly string[] {
  const known = languages.map((code) => DATA[code]).filter((name) => name !== undefined);
  if (known.length > 0) return [...new Set(known)];
  if (languages === fallback) {
    throw new Error("none of the languages in OCR_LANGUAGES has data here");
  }
  return dataFor(fallback, fallback);
}
