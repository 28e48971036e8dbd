import { api, isQueued, type Queued } from "./api.ts";

/** A note as the backend gives it. */
export interface Note {
  readonly id: number;
  readonly text: string;
  readonly pinned: boolean;
  readonly changedAt: string;
}

/** What the page knows of the person's notes. */
export class Notes {
  /** Undefined until they came for the first time. */
  all = $state.raw<readonly Note[]>();
  /** What went wrong last, in words. */
  problem = $state<string>();
  /** Texts that wait for the person's computer. */
  waiting = $state.raw<readonly string[]>([]);
  wanted = $state("");

  readonly shown = $derived.by(() => {
    const words = this.wanted.toLowerCase().split(/\s+/);
    return (this.all ?? []).filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  });

  load(): Promise<boolean> {
    return this.#try(async () => {
      this.all = await api<readonly Note[]>("GET /api/notes");
      this.waiting = [];
    });
  }

  /** The key stays the same for a second try, so that a note whose answer was lost is not added twice. */
  add(text: string, key: string): Promise<boolean> {
    return this.#try(async () => {
      const added = await api<Note | Queued>("POST /api/notes", { json: { text }, key });
      if (isQueued(added)) this.waiting = [...this.waiting, text];
      else this.#put(added);
    });
  }

  change(note: Note, change: Partial<Pick<Note, "text" | "pinned">>): Promise<boolean> {
    return this.#try(async () => this.#put(await api<Note>(`PUT /api/notes/${note.id}`, { json: change })));
  }

  remove(note: Note): Promise<boolean> {
    return this.#try(async () => {
      await api(`DELETE /api/notes/${note.id}`);
      this.all = this.all?.filter(({ id }) => id !== note.id);
    });
  }

  /** Brings a removed note back, as a new one with its text. */
  restore({ text, pinned }: Note): Promise<boolean> {
    return this.#try(async () => {
      const added = await api<Note>("POST /api/notes", { json: { text }, key: crypto.randomUUID() });
      this.#put(pinned ? await api<Note>(`PUT /api/notes/${added.id}`, { json: { pinned } }) : added);
    });
  }

  /** In the backend's order: pinned ones first, then the newest. */
  #put(note: Note): void {
    const others = (this.all ?? []).filter(({ id }) => id !== note.id);
    const byAge = (a: Note, b: Note) => (a.changedAt < b.changedAt ? 1 : -1);
    this.all = [note, ...others].sort((a, b) => Number(b.pinned) - Number(a.pinned) || byAge(a, b));
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.problem = undefined;
      return true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      return false;
    }
  }
}
