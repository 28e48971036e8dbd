import { api, isQueued, type Queued } from "./api.ts";
import { localDay, streak } from "./dates.ts";

/** One day, as the backend gives it. */
export interface Day {
  readonly day: string;
  readonly mood: number;
  readonly intention: string;
  readonly done: boolean | null;
}

/** What the page knows of the person's days. */
export class Days {
  /** Newest first; undefined until they came for the first time. */
  all = $state.raw<readonly Day[]>();
  today = $state(localDay());
  /** A check-in that waits for the person's computer. */
  waiting = $state(false);
  problem = $state<string>();

  readonly now = $derived(this.all?.find(({ day }) => day === this.today));
  /** The last day before today, where its intention is not settled. */
  readonly open = $derived.by(() => {
    const last = this.all?.find(({ day }) => day < this.today);
    return last && last.intention !== "" && last.done === null ? last : undefined;
  });
  readonly streak = $derived(streak(this.all ?? [], this.today));

  load(): Promise<boolean> {
    this.today = localDay();
    return this.#try(async () => {
      this.all = await api<readonly Day[]>("GET /api/days");
      this.waiting = false;
    });
  }

  checkIn(mood: number, intention: string): Promise<boolean> {
    const day = this.today;
    return this.#try(async () => {
      const saved = await api<Day | Queued>("POST /api/checkin", { json: { day, mood, intention } });
      this.waiting = isQueued(saved);
      this.#put(isQueued(saved) ? { day, mood, intention, done: null } : saved);
    });
  }

  settle({ day }: Day, done: boolean): Promise<boolean> {
    return this.#try(async () => this.#put(await api<Day>(`PUT /api/days/${day}`, { json: { done } })));
  }

  #put(day: Day): void {
    const others = (this.all ?? []).filter((other) => other.day !== day.day);
    this.all = [day, ...others].sort((a, b) => (a.day < b.day ? 1 : -1));
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
