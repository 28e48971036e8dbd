import type { JobRequest, JobView } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import type { Column } from "../../table.ts";
import { duration, localTime } from "../../time.ts";

const COLUMNS: readonly Column[] = [
  { title: "JOB" },
  { title: "WHAT", cut: true },
  { title: "STATE" },
  { title: "STARTED" },
  { title: "TOOK", align: "right" },
  { title: "OUTCOME", cut: true },
];

/** `handler jobs` */
export const jobs: Command = {
  words: ["jobs"],
  summary: "list the long work that was begun on the page",
  description:
    `Lists deploys, checks and work on the image that somebody began on Handler's page: what runs, and what has ended
within the last hour.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler jobs", does: "what is under way" }],
  async run({ daemon, output, clock }) {
    const found = await daemon.jobs();
    output.list("jobs", found, {
      columns: COLUMNS,
      cells: found.map((job) => cells(job, clock.now())),
      empty: "nothing was begun",
    });
    return EXIT.done;
  },
};

function cells(job: JobView, now: number): readonly string[] {
  const { id, request, state, startedAt, endedAt, error } = job;
  const took = duration((endedAt ?? now) - startedAt);
  return [id, whatText(request), state, localTime(startedAt), took, error?.message ?? "-"];
}

function whatText(request: JobRequest): string {
  switch (request.kind) {
    case "deploy":
      return `deploy ${request.app}`;
    case "app-check":
      return `check ${request.folder}`;
    case "connector-check":
      return `check ${request.connector}${request.binding === null ? "" : ` with ${request.binding}`}`;
    case "image":
      return `${request.how} the image`;
  }
}
