/** A file that only grows, up to a size; then it becomes `<path>.1` and a new one begins. */
export interface AppendFile extends Disposable {
  write(text: string): void;
}

/** Opens (or makes) a file to append whole lines to, mode 0600. A full disk loses lines, never the program. */
export function openAppend(path: string, limitBytes: number): AppendFile {
  const open = () => Deno.openSync(path, { append: true, create: true, write: true, mode: 0o600 });
  let file = open();
  let size = file.statSync().size;
  return {
    write(text) {
      const bytes = new TextEncoder().encode(text);
      try {
        if (size + bytes.length > limitBytes) {
          file.close();
          Deno.renameSync(path, `${path}.1`);
          file = open();
          size = 0;
        }
        size += file.writeSync(bytes);
      } catch {
        // nowhere left to say it
      }
    },
    [Symbol.dispose]: () => file.close(),
  };
}
