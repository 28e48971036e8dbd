/**
 * How well a text answers what was typed: every letter in order, better at the beginnings of words and close together.
 * 0 is not at all.
 */
export function score(text: string, typed: string): number {
  const [hay, needle] = [text.toLowerCase(), typed.toLowerCase().replaceAll(/\s+/g, "")];
  if (needle === "") return 1;
  const whole = hay.indexOf(typed.toLowerCase().trim());
  if (whole !== -1) return 1000 - whole + (startsWord(hay, whole) ? 500 : 0);
  let sum = 1, at = -1;
  for (const letter of needle) {
    const found = hay.indexOf(letter, at + 1);
    if (found === -1) return 0;
    sum += startsWord(hay, found) ? 10 : found === at + 1 ? 5 : 1;
    at = found;
  }
  return sum;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!);
}
