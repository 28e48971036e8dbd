import { isObject, type Json, newId } from "../../base/mod.ts";
import { attachmentsOf, fileReference } from "../state/attachments.ts";
import { fromBase64 } from "../state/base64.ts";
import type { RunContext } from "../state/context.ts";
import { writeThreadFile } from "../state/files.ts";

/**
 * What a tool gave along with its result, as references: content becomes a file under `/attachments/`, a reference or a
 * path must name a file of the thread.
 *
 * @throws {HandlerError} what writing a file or looking it up says
 */
export async function keepAttachments(context: RunContext, given: readonly Json[]): Promise<readonly Json[]> {
  const kept: Json[] = [];
  for (const one of given) {
    if (isObject(one) && typeof one["data"] === "string") {
      kept.push(await keepContent(context, one, one["data"]));
    } else kept.push(...attachmentsOf(context.engine.ports.store, context.thread, [one]) ?? []);
  }
  return kept;
}

async function keepContent(
  context: RunContext,
  one: { readonly [key: string]: unknown },
  data: string,
): Promise<Json> {
  const name = typeof one["name"] === "string" ? one["name"].replaceAll(/[/\0]/g, "_").slice(-80) : "file";
  const row = await writeThreadFile(context, context.thread, {
    path: `/attachments/${newId(context.engine.now())}-${name}`,
    bytes: fromBase64(data),
    mimeType: typeof one["mimeType"] === "string" ? one["mimeType"] : "application/octet-stream",
    metadata: null,
  });
  const size = ["width", "height"].flatMap((key) => typeof one[key] === "number" ? [[key, one[key]]] : []);
  return { ...fileReference(row), name, ...Object.fromEntries(size) };
}
