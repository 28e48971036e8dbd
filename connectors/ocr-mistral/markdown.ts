/**
 * Markdown as an OCR service writes it, as plain text: what was on the page stays (words, numbers, line breaks, list
 * marks), what markdown added goes (heading marks, emphasis, table rules, image references).
 */
export function plainText(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  const text = lines.filter((line) => !isRule(line)).map(plainLine).join("\n");
  return text.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n").trim();
}

/** A table's rule (`| --- | :-: |`), a thematic break, a fence of code. */
function isRule(line: string): boolean {
  return /^\s*(\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?|\*{3,}|_{3,}|```.*)\s*$/.test(line);
}

function plainLine(line: string): string {
  const block = line.replace(/^\s{0,3}#{1,6}\s+/, "").replace(/^\s{0,3}>\s?/, "");
  return unescape(plainSpans(/^\s*\|.*\|\s*$/.test(block) ? tableRow(block) : block));
}

function tableRow(line: string): string {
  const cells = line.trim().slice(1, -1).split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim()).join("  ").trim();
}

/** No span is longer than 500 characters, so that a hostile line costs no more than its length. */
function plainSpans(line: string): string {
  return line
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,500}\)/g, "")
    .replace(/\[([^\]]{0,500})\]\([^)\s]{0,500}\)/g, "$1")
    .replace(/(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\w*\\])([*_])(?=[^\s*_])([^*_]{1,500})(?<=\S)\1(?![\w*])/g, "$2")
    .replace(/`([^`]{1,500})`/g, "$1")
    .replace(/<br\s?\/?>/gi, "\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

function unescape(line: string): string {
  return line
    .replace(/\\([\\`*_{}[\]()#+\-.!|$%&~<>])/g, "$1")
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
