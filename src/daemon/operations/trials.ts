import type { DeskOperations, TrialCall, TrialReport } from "../../api/mod.ts";
import { HandlerError, isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { Parts } from "../assemble.ts";
import { checkTrialName } from "../trials.ts";
import { costOf } from "./cost.ts";

type TrialOperations = Pick<
  DeskOperations,
  "trialNew" | "trial" | "trialPut" | "trialFile" | "trialCall" | "trialRemove"
>;

/** Calls that a person tries: real ones, through the real router. */
export function trialOperations(parts: Parts): TrialOperations {
  const { trials } = parts;
  return {
    trialNew: () => trials.make(),
    trial: (id) => trials.show(id),
    trialPut: (id, name, bytes) => trials.put(id, name, bytes instanceof Blob ? bytes.stream() : bytes),
    trialFile: (id, name) => trials.read(id, name),
    trialCall: (id, call, signal) => tried(parts, id, call, signal),
    trialRemove: (id) => trials.remove(id),
  };
}

async function tried(parts: Parts, id: string, call: TrialCall, signal: AbortSignal): Promise<TrialReport> {
  const { services, trials } = parts;
  const { binding, tool, input } = call;
  if (!isObject(input)) throw new HandlerError("usage", "the input of a tool is a JSON object");
  const outputs = outputsOf(parts, call, input as JsonObject);
  outputs.forEach(checkTrialName);
  return await trials.use(id, async (scope) => {
    const own = { caller: "desk" as const, binding, tool, input: input as JsonObject, scope, signal };
    const { ms, units, hosts, error, result } = await services.callOnce(own).catch((error) => {
      throw signal.aborted ? new HandlerError("cancelled", "who asked for the call has left") : error;
    });
    const made = error === null ? await Promise.all(outputs.map((name) => trials.file(id, name))) : [];
    return {
      ...{ binding, ms, units, hosts, error },
      cost: costOf(parts, binding, units),
      result: result as Json,
      made: made.filter((file) => file !== undefined),
    };
  });
}

/** The names of files that a call would make; none where its input breaks the schema, which the router then says. */
function outputsOf({ services }: Parts, { binding, tool }: TrialCall, input: JsonObject): readonly string[] {
  const served = services.servedBy(binding, tool).tools.get(tool);
  if (!served?.files || served.checkInput(input)) return [];
  return served.files(input).filter(({ format }) => format === "handler-output-file").map(({ value }) =>
    value
  );
}
