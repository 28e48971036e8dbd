/// <reference lib="deno.worker" />
import type { Job, WorkerStart } from "./protocol.ts";
import { Reader } from "./reader.ts";

/** One thread of the pool: the first message is what it needs, every further one a job with one answer. */
let reader: Reader | undefined;

self.onmessage = async ({ data }: MessageEvent<WorkerStart | Job>) => {
  if (reader) self.postMessage(await reader.do(data as Job));
  else reader = new Reader(data as WorkerStart);
};
