import { client } from "$lib/client.ts";

/** Files that are kept at hand while a thread is looked at. */
const KEPT = 40;
/** Bytes up to which a preview is shown without being asked for. */
export const SMALL = 8_000_000;

/** A thread's files as the browser shows them: each is asked for once. */
export class Files {
  readonly #thread: string;
  readonly #urls = new Map<string, Promise<string>>();

  constructor(thread: string) {
    this.#thread = thread;
  }

  /** Where the daemon has a file, to be saved. */
  href(path: string): string {
    return `/v1/threads/${encodeURIComponent(this.#thread)}/file?${new URLSearchParams({ path })}`;
  }

  /** A file's bytes as a URL of this page's own; a picture shown by it can do nothing. */
  url(path: string, type: string): Promise<string> {
    const known = this.#urls.get(path);
    if (known) return known;
    const url = client.threadFile(this.#thread, path).then((bytes) =>
      URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }))
    );
    this.#urls.set(path, url);
    url.catch(() => this.#urls.delete(path));
    const [oldest] = this.#urls;
    if (oldest && this.#urls.size > KEPT) this.#drop(oldest[0]);
    return url;
  }

  /** The beginning of a file of text. */
  async text(path: string, most: number): Promise<string> {
    const bytes = await client.threadFile(this.#thread, path);
    const text = new TextDecoder().decode(bytes.subarray(0, most));
    return bytes.length > most ? `${text}…` : text;
  }

  /** Lets go of all. */
  close(): void {
    for (const path of [...this.#urls.keys()]) this.#drop(path);
  }

  #drop(path: string): void {
    void this.#urls.get(path)?.then((url) => URL.revokeObjectURL(url), () => {});
    this.#urls.delete(path);
  }
}

/** How a file can be shown. */
export function kindOf(type: string): "image" | "audio" | "video" | "text" | "other" {
  if (/^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(type)) return "image";
  if (type.startsWith("audio/")) return "audio";
  if (type.startsWith("video/")) return "video";
  return /^text\/|json|xml|yaml|toml|javascript|typescript/.test(type) ? "text" : "other";
}
