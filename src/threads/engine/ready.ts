/** Threads that may have something to do, served one project after the other so that a busy one does not starve the rest. */
export class ReadyQueue {
  readonly #projects = new Map<string, Set<string>>();

  /** Adds a thread at the end of its project's line, unless it stands there already. */
  add(project: string, thread: string): void {
    let line = this.#projects.get(project);
    if (!line) this.#projects.set(project, line = new Set());
    line.add(thread);
  }

  /** The first thread of the next project that may begin something. */
  next(free: (project: string) => number): { readonly project: string; readonly thread: string } | undefined {
    for (const [project, line] of this.#projects) {
      if (free(project) <= 0) continue;
      const [thread] = line;
      if (thread === undefined) continue;
      line.delete(thread);
      this.#projects.delete(project); // to the end
      if (line.size > 0) this.#projects.set(project, line);
      return { project, thread };
    }
    return undefined;
  }
}
