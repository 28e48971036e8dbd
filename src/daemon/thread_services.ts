import { HandlerError, isObject, type Json, type JsonObject } from "../base/mod.ts";
import type { Configuration } from "../config/mod.ts";
import { ensureFolder } from "../platform/mod.ts";
import { type Caller, CallFailure, InsideCalls, type Services } from "../services/mod.ts";
import { ServiceFailure, type ServiceTool, type ThreadServices } from "../threads/mod.ts";

/** What {@linkcode threadServices} needs. */
export interface ThreadServiceParts {
  readonly services: Pick<Services, "catalog" | "router">;
  /** Where files of threads lie, one folder a thread. */
  readonly filesFolder: string;
  configuration(): Configuration;
}

/** Services for threads; {@linkcode close} ends the connections to connectors. */
export interface OwnedThreadServices extends ThreadServices {
  close(): void;
}

/**
 * Services for threads, as the project they belong to: its choice of bindings and its privacy, asked at each call. Files
 * that a call names lie in the thread's own folder.
 */
export function threadServices(
  { services, filesFolder, configuration }: ThreadServiceParts,
): OwnedThreadServices {
  const open = new Map<string, InsideCalls>();
  const callsOf = (project: string, interfaceId: string) => {
    const served = services.catalog.served(interfaceId);
    const key = `${project} ${interfaceId}`;
    const known = open.get(key);
    if (known?.served === served) return known;
    known?.close();
    const fresh = services.router.inside(served);
    open.set(key, fresh);
    return fresh;
  };
  const callerOf = (name: string, scope: string): Caller => {
    const project = () => configuration().projects.get(name);
    return {
      ...{ id: `project:${name}`, session: null, scope, privacy: project()?.privacy ?? "local" },
      selection: (id) => project()?.services[id.split("/")[0] ?? ""] ?? [],
    };
  };
  return {
    tools: (interfaceId) => services.catalog.served(interfaceId).definition.tools.map(toolOf),
    async call(project, scope, interfaceId, tool, args, { signal, progress, piece }) {
      const folder = scope.startsWith("/") ? scope : `${filesFolder}/${scope}`;
      await ensureFolder(folder);
      const calls = callsOf(project, interfaceId);
      const given = inFolder(calls, tool, isObject(args) ? args as JsonObject : {});
      try {
        return await calls.call(callerOf(project, folder), tool, given, {
          signal,
          onProgress: (one) => one.piece ? piece?.(one.piece) : progress(one.message ?? progressText(one)),
          inPieces: piece !== undefined,
        });
      } catch (error) {
        if (error instanceof CallFailure) throw new ServiceFailure(error.code, error.message);
        throw error;
      }
    },
    close() {
      for (const calls of open.values()) calls.close();
      open.clear();
    },
  };
}

function toolOf(tool: InsideCalls["served"]["definition"]["tools"][number]): ServiceTool {
  return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema as Json };
}

function progressText({ progress, total }: { readonly progress: number; readonly total?: number }): string {
  return total === undefined ? String(progress) : `${progress} of ${total}`;
}

/** The arguments with the paths of a thread's files as places below its folder: `/attachments/a` is `attachments/a`. */
function inFolder({ served }: InsideCalls, name: string, args: JsonObject): JsonObject {
  const tool = served.tools.get(name);
  if (!tool?.files || tool.checkInput(args)) return args;
  const copy = structuredClone(args);
  for (const { path, value } of tool.files(args)) {
    const [last, ...owners] = path.toReversed();
    const owner = owners.reduceRight<unknown>((at, key) => (at as never)[key], copy);
    if (last === undefined || value === "/") throw new HandlerError("usage", "a file has a path");
    (owner as Record<string | number, string>)[last] = value.replace(/^\/+/, "");
  }
  return copy;
}
