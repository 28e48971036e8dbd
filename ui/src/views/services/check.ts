import type { BindingView, JobView } from "$client";
import { client } from "$lib/client.ts";

/** Starts the check of a provider, or gives the one that is under way. */
export async function checkOf(
  { name, connector }: Pick<BindingView, "name" | "connector">,
): Promise<JobView> {
  const running = (await client.jobs()).find(({ state, request }) =>
    state === "running" && request.kind === "connector-check" && request.binding === name
  );
  return running ?? await client.jobStart({ kind: "connector-check", connector, binding: name });
}

/** A line that a check told: `passed  ocr/v1  invoice text  240 ms`, with what was found below it. */
export interface CaseLine {
  readonly passed: boolean;
  readonly interfaceId: string;
  readonly name: string;
  readonly time: string;
  readonly findings: readonly string[];
}

/** Reads the lines of a check's progress; others are passed over. */
export function casesOf(progress: readonly unknown[]): readonly CaseLine[] {
  return progress.flatMap((step) => {
    if (typeof step !== "string") return [];
    const [head = "", ...rest] = step.split("\n");
    const [state, interfaceId, name, time] = head.split(/ {2}/).filter((part) => part !== "");
    if (state === undefined || interfaceId === undefined || name === undefined) return [];
    const findings = rest.map((one) => one.trim());
    return [{ passed: state === "passed", interfaceId, name, time: time ?? "", findings }];
  });
}
