import type { JobRequest, JobView } from "$client";
import { client } from "./client.ts";
import { type Resource, resource } from "./resource.svelte.ts";
import { router } from "./router.svelte.ts";

/** Starts long work and puts its id into the URL, as `?job=…`, so that a reload finds it again. */
export async function startJob(request: JobRequest): Promise<JobView> {
  const job = await client.jobStart(request);
  router.put({ job: job.id });
  return job;
}

/** The job that the URL names, kept up to date; undefined where there is none. Call it while a component is made. */
export function currentJob(): Resource<JobView | undefined> {
  return resource(
    async () => {
      const id = router.query.get("job");
      return id === null ? undefined : await client.job(id);
    },
    { topics: ["jobs"], key: () => router.query.get("job") ?? "" },
  );
}
