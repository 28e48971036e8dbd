import { type JobRequest, type JobView, type WireError, wireError } from "../api/mod.ts";
import { asHandlerError, type Clock, HandlerError, isObject, type Json, newId } from "../base/mod.ts";

/** Does what a job asks for; what it tells on the way goes to `progress`. */
export type JobRunner = (request: JobRequest, progress: (step: Json) => void) => Promise<Json>;

/** What {@linkcode Jobs} are made of. */
export interface JobsParts {
  readonly clock: Clock;
  readonly run: JobRunner;
  /** Is told of each job that is other than it was. */
  changed(id: string): void;
}

/** How long a job that has ended is remembered, in milliseconds, and how many at most. */
const KEEP_MS = 3_600_000;
const KEEP = 100;

/** The most steps that are kept of one job, and the most letters of one; the oldest go first. */
const STEPS = 1000;
const LETTERS = 20_000;

/** How many steps of each job a list of jobs shows, the last ones. */
const SHOWN = 20;

/** Long work that goes on whether or not somebody watches. It ends with the daemon. */
export class Jobs {
  readonly #parts: JobsParts;
  /** In the order in which they were started. */
  readonly #jobs = new Map<string, Job>();

  constructor(parts: JobsParts) {
    this.#parts = parts;
  }

  /** Starts work. @throws {HandlerError} `conflict` where the same is under way */
  start(request: JobRequest): JobView {
    const subject = subjectOf(request);
    const other = [...this.#jobs.values()].find((job) => job.state === "running" && job.subject === subject);
    if (other) {
      throw new HandlerError("conflict", `${subject} is under way already`, {
        hint: `see the job ${other.id}`,
      });
    }
    const job = new Job(newId(), request, subject, this.#parts.clock.now());
    this.#jobs.set(job.id, job);
    void this.#work(job);
    this.#tidy();
    return job.view();
  }

  /** The newest first. */
  list(): readonly JobView[] {
    this.#tidy();
    return [...this.#jobs.values()].map((job) => job.view(SHOWN)).reverse();
  }

  /** @throws {HandlerError} `not_found` */
  get(id: string): JobView {
    const job = this.#jobs.get(id);
    if (job) return job.view();
    throw new HandlerError("not_found", `there is no job ${JSON.stringify(id)}`, {
      hint: "a job that has ended is remembered for an hour, and not past the daemon's end",
    });
  }

  async #work(job: Job): Promise<void> {
    const { run, changed, clock } = this.#parts;
    changed(job.id);
    try {
      const result = await run(job.request, (step) => {
        job.tell(step);
        changed(job.id);
      });
      job.end(clock.now(), { result });
    } catch (thrown) {
      job.end(clock.now(), { error: wireError(asHandlerError(thrown)) });
    }
    changed(job.id);
  }

  #tidy(): void {
    const ended = [...this.#jobs.values()].filter((job) => job.endedAt !== null);
    const limit = this.#parts.clock.now() - KEEP_MS;
    const surplus = ended.slice(0, Math.max(0, ended.length - KEEP));
    for (const job of ended) {
      if (job.endedAt! < limit || surplus.includes(job)) this.#jobs.delete(job.id);
    }
  }
}

class Job {
  state: JobView["state"] = "running";
  endedAt: number | null = null;
  #progress: Json[] = [];
  #result: Json | null = null;
  #error: WireError | null = null;

  constructor(
    readonly id: string,
    readonly request: JobRequest,
    readonly subject: string,
    readonly startedAt: number,
  ) {}

  tell(step: Json): void {
    this.#progress.push(bounded(step));
    if (this.#progress.length > STEPS) this.#progress = this.#progress.slice(-STEPS);
  }

  end(at: number, came: { readonly result: Json } | { readonly error: WireError }): void {
    this.endedAt = at;
    this.state = "result" in came ? "done" : "failed";
    if ("result" in came) this.#result = came.result;
    else this.#error = came.error;
  }

  view(steps = STEPS): JobView {
    const { id, request, state, startedAt, endedAt } = this;
    const progress = this.#progress.slice(-steps);
    return { id, request, state, startedAt, endedAt, progress, result: this.#result, error: this.#error };
  }
}

/** What is done, in words; two jobs that do the same to the same thing are one too many. */
function subjectOf(request: JobRequest): string {
  switch (request.kind) {
    case "deploy":
      return `the deploy of the app ${request.app}`;
    case "app-check":
      return `the check of ${request.folder}`;
    case "connector-check":
      return `the check of the connector ${request.connector}` +
        (request.binding === null ? "" : ` with the binding ${request.binding}`);
    case "image":
      return "work on the image";
  }
}

function bounded(step: Json): Json {
  if (typeof step === "string") return step.slice(0, LETTERS);
  if (!isObject(step)) return step;
  const pairs = Object.entries(step).map(([key, value]) => {
    return [key, typeof value === "string" ? value.slice(0, LETTERS) : value as Json] as const;
  });
  return Object.fromEntries(pairs);
}
