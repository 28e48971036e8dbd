import type { DeskOperations, JobRequest, Operations } from "../../api/mod.ts";
import type { Json } from "../../base/mod.ts";
import { type JobRunner, Jobs } from "../jobs.ts";
import type { Parts } from "../assemble.ts";

/** What long work is done with: the operations that the command line uses too. */
export type LongWork = Pick<
  Operations,
  "appDeploy" | "appCheck" | "connectorCheck" | "imageBuild" | "imagePull"
>;

/** Long work that goes on whether or not somebody watches. */
export function jobOperations(
  { clock, changes }: Pick<Parts, "clock" | "changes">,
  work: LongWork,
): Pick<DeskOperations, "jobStart" | "jobs" | "job"> {
  const jobs = new Jobs({ clock, run: runner(work), changed: (id) => changes.tell("jobs", id) });
  return {
    // deno-lint-ignore require-await -- what is thrown must reject
    jobStart: async (request) => jobs.start(request),
    jobs: () => Promise.resolve(jobs.list()),
    // deno-lint-ignore require-await -- what is thrown must reject
    job: async (id) => jobs.get(id),
  };
}

function runner(work: LongWork): JobRunner {
  return async (request, progress) => {
    const result = await resultOf(work, request, progress);
    return result as Json;
  };
}

/** Records of the API hold what JSON can hold, nothing else. */
async function resultOf(
  work: LongWork,
  request: JobRequest,
  progress: (step: Json) => void,
): Promise<unknown> {
  switch (request.kind) {
    case "deploy":
      return await work.appDeploy(request.app, request.hash, (step) => progress({ ...step }));
    case "app-check":
      return await work.appCheck(request.folder, progress);
    case "connector-check":
      return await work.connectorCheck(request.connector, request.binding, progress);
    case "image":
      return await (request.how === "build" ? work.imageBuild() : work.imagePull());
  }
}
