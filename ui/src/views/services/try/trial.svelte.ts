import { HandlerError, type TrialFile } from "$client";
import { client, errorFrom } from "$lib/client.ts";
import { router } from "$lib/router.svelte.ts";
import { uploadForTrial } from "$lib/upload.ts";

/** The folder that a person's files for trials lie in: the one that the URL names, else one that is made when needed. */
export class TrialFolder {
  files = $state.raw<readonly TrialFile[]>([]);
  #id: string | undefined;
  #coming: Promise<string> | undefined;

  /** Looks what the URL's folder has. One that is gone is forgotten. */
  async load(): Promise<void> {
    const id = router.query.get("trial");
    if (id === null) return;
    try {
      this.files = (await client.trial(id)).files;
      this.#id = id;
    } catch (thrown) {
      if (errorFrom(thrown).kind !== "not_found") throw thrown;
      router.put({ trial: null, file: null });
    }
  }

  /** The folder's id; it is made where there is none. */
  async id(): Promise<string> {
    if (this.#id !== undefined) return this.#id;
    return await (this.#coming ??= this.#make());
  }

  /** Takes a file in. @returns its name there */
  upload = async (file: File): Promise<string> => {
    const taken = await uploadForTrial(await this.id(), file);
    this.add([taken]);
    return taken.name;
  };

  /** Files that came in, or were made by a call. */
  add(files: readonly TrialFile[]): void {
    const names = new Set(files.map(({ name }) => name));
    this.files = [...files, ...this.files.filter(({ name }) => !names.has(name))];
  }

  /** A file of the folder, by its name. */
  find(name: string): TrialFile | undefined {
    return this.files.find((one) => one.name === name);
  }

  /** Where the browser finds a file. */
  url(name: string): string {
    return `/v1/trials/${encodeURIComponent(this.#id ?? "")}/files/${encodeURIComponent(name)}`;
  }

  /** All bytes of a file. */
  async bytes(name: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(this.url(name), { signal });
    if (!response.ok) throw new HandlerError("not_found", name);
    return new Uint8Array(await response.arrayBuffer());
  }

  async #make(): Promise<string> {
    try {
      const { id } = await client.trialNew();
      this.#id = id;
      router.put({ trial: id });
      return id;
    } finally {
      this.#coming = undefined;
    }
  }
}
