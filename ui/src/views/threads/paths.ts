/** Where a file goes that comes with a message: its own name below `/attachments/`, numbered where that is taken. */
export function freePath(name: string, taken: ReadonlySet<string>): string {
  const clean = name.replaceAll(/[/\\\p{Cc}]/gu, "_").replace(/^\.+/, "") || "file";
  const dot = clean.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ""];
  for (let number = 1;; number++) {
    const path = `/attachments/${number === 1 ? clean : `${stem}-${number}${end}`}`;
    if (!taken.has(path)) return path;
  }
}
