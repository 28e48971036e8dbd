import { api } from "./api.ts";

/** A receipt as the backend gives it; amounts in hundredths. */
export interface Receipt {
  readonly id: number;
  readonly name: string;
  readonly mediaType: string;
  readonly addedAt: string;
  readonly problem: string | null;
  readonly shop: string | null;
  readonly currency: string | null;
  readonly total: number | null;
  readonly tax: number | null;
  readonly lines: readonly { readonly label: string; readonly amount: number }[];
}

/** A file on its way. */
export interface Sending {
  readonly key: string;
  readonly file: File;
  /** Why it did not arrive. */
  readonly problem: string | undefined;
}

/** What the page knows of the person's receipts. */
export class Receipts {
  /** Undefined until they came for the first time. */
  all = $state.raw<readonly Receipt[]>();
  sending = $state.raw<readonly Sending[]>([]);
  problem = $state<string>();

  /** Of those that were read, by currency. */
  readonly sums = $derived.by(() => {
    const sums = new Map<string, number>();
    for (const { total, currency } of this.all ?? []) {
      if (total !== null) sums.set(currency ?? "", (sums.get(currency ?? "") ?? 0) + total);
    }
    return [...sums];
  });

  load(): Promise<boolean> {
    return this.#try(async () => {
      this.all = await api<readonly Receipt[]>("GET /api/receipts");
    });
  }

  /** One after the other: reading is work for the machine. */
  async send(files: readonly File[]): Promise<void> {
    const added = files.map((file): Sending => ({ key: crypto.randomUUID(), file, problem: undefined }));
    this.sending = [...added, ...this.sending];
    for (const one of added) await this.#send(one);
  }

  async sendAgain(one: Sending): Promise<void> {
    const fresh: Sending = { ...one, problem: undefined };
    this.sending = this.sending.map((other) => (other.key === one.key ? fresh : other));
    await this.#send(fresh);
  }

  dismiss({ key }: Sending): void {
    this.sending = this.sending.filter((other) => other.key !== key);
  }

  readAgain({ id }: Receipt): Promise<boolean> {
    return this.#try(async () => this.#put(await api<Receipt>(`POST /api/receipts/${id}/read`)));
  }

  correct({ id }: Receipt, shop: string, total: number): Promise<boolean> {
    return this.#try(async () =>
      this.#put(await api<Receipt>(`PUT /api/receipts/${id}`, { json: { shop, total } }))
    );
  }

  remove({ id }: Receipt): Promise<boolean> {
    return this.#try(async () => {
      await api(`DELETE /api/receipts/${id}`);
      this.all = this.all?.filter((other) => other.id !== id);
    });
  }

  async #send(one: Sending): Promise<void> {
    try {
      const name = encodeURIComponent(one.file.name);
      this.#put(await api<Receipt>(`POST /api/receipts?name=${name}`, { file: one.file, key: one.key }));
      this.dismiss(one);
    } catch (error) {
      const problem = textOf(error);
      this.sending = this.sending.map((other) => (other.key === one.key ? { ...one, problem } : other));
    }
  }

  #put(receipt: Receipt): void {
    const all = this.all ?? [];
    const known = all.some(({ id }) => id === receipt.id);
    this.all = known ? all.map((other) => (other.id === receipt.id ? receipt : other)) : [receipt, ...all];
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.problem = undefined;
      return true;
    } catch (error) {
      this.problem = textOf(error);
      return false;
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
