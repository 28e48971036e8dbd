/** How many turns may be under way. */
export interface SlotLimits {
  readonly project: number;
  readonly all: number;
}

/** Counts the turns under way, in each project and in all; a turn that waits for a child of its own counts for none. */
export class Slots {
  readonly #limits: () => SlotLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: () => SlotLimits) {
    this.#limits = limits;
  }

  /** How many more a project may begin now. */
  free(project: string): number {
    const limits = this.#limits();
    return Math.min(limits.project - (this.#taken.get(project) ?? 0), limits.all - this.#all);
  }

  take(project: string): void {
    this.#taken.set(project, (this.#taken.get(project) ?? 0) + 1);
    this.#all++;
  }

  give(project: string): void {
    const left = (this.#taken.get(project) ?? 0) - 1;
    if (left > 0) this.#taken.set(project, left);
    else this.#taken.delete(project);
    this.#all--;
  }
}
