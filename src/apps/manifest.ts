import { basename } from "node:path";
import {
  asHandlerError,
  concatBytes,
  HandlerError,
  NAME_PATTERN,
  ProblemList,
  sha256Hex,
  utf8,
} from "../base/mod.ts";
import { isMissing, openInside } from "../platform/mod.ts";
import {
  boolean,
  convert,
  decodeTomlFile,
  envName,
  hostPort,
  integer,
  interfaceId,
  type Kind,
  list,
  map,
  name,
  number,
  oneOf,
  optional,
  record,
  relativePath,
  required,
  size,
  slotName,
  text,
} from "../schema/mod.ts";
import type { AppManifest } from "./records.ts";

const MEGABYTE = 2 ** 20;
const MANIFEST_LIMIT = MEGABYTE;

/** Names that would take an origin or a folder of Handler's own. */
const TAKEN = ["localhost", "handler", "handlerd", "www"];

/** Whether an app can be called so. */
export function isAppName(text: string): boolean {
  return NAME_PATTERN.test(text) && !TAKEN.includes(text);
}

const appName = convert(name, (value, at) => {
  return TAKEN.includes(value) ? at.problem(`must not be ${TAKEN.join(", ")}`) : value;
});

const ROUTE = /^(?:GET|POST|PUT|PATCH|DELETE) \/api\/[A-Za-z0-9._~/-]{1,200}$/;
const route = text({
  pattern: { rule: 'a method and a path below /api/, such as "POST /api/checkin"', test: ROUTE },
});

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,40})?$/;
const version = text({ pattern: { rule: 'a version such as "0.3.0"', test: VERSION } });

const secretVariable: Kind<string> = convert(envName, (value, at) => {
  if (!/^(?:HANDLER_|DENO_|LD_|DYLD_)|^PATH$|^HOME$/.test(value)) return value;
  return at.problem(`must not be a variable that Handler or the runtime sets, found ${value}`);
});

/** `app.toml`, `handler.miniapp/v1` (seed §9): a key that is not known is an error, so nothing is silently left out. */
export const manifestShape = record({
  name: required(appName),
  version: required(version),
  description: required(text({ max: 200 })),
  server: optional(record({ entry: optional(relativePath, "server/main.ts") }), { entry: "server/main.ts" }),
  ui: optional(record({ dir: optional(relativePath, "ui/dist") }), { dir: "ui/dist" }),
  needs: optional(
    record({
      egress: optional(list(hostPort({ wildcard: true }), { unique: true }), []),
      secrets: optional(list(secretVariable, { unique: true }), []),
      files: optional(map(slotName, oneOf("ro", "rw")), {}),
      notify: optional(boolean, false),
      services: optional(list(interfaceId, { unique: true }), []),
    }),
    { egress: [], secrets: [], files: {}, notify: false, services: [] },
  ),
  resources: optional(
    record({
      memory: optional(size({ min: 64 * MEGABYTE, max: 1024 * 1024 * MEGABYTE }), 512 * MEGABYTE),
      pids: optional(integer({ min: 16, max: 100_000 }), 256),
      cpus: optional(number({ min: 0.01, max: 1024 })),
    }),
    { memory: 512 * MEGABYTE, pids: 256, cpus: undefined },
  ),
  routes: optional(map(route, oneOf("queued")), {}),
});

/**
 * Reads `app.toml` of a source folder.
 * @throws {ProblemList} everything that is wrong, with file, line and key
 */
export async function readManifest(folder: string): Promise<AppManifest> {
  const file = `${folder}/app.toml`;
  const bytes = await manifestBytes(folder);
  const { record, problems } = decodeTomlFile(bytes, { file, kind: "miniapp", shape: manifestShape });
  if (!record || problems.length > 0) throw new ProblemList(basename(folder), problems);
  const { server, ui, resources, ...rest } = record;
  const { memory, pids, cpus } = resources;
  return {
    ...rest,
    serverEntry: server.entry,
    uiFolder: ui.dir,
    resources: { memoryBytes: memory, pids, cpus },
  };
}

/**
 * The bytes of `app.toml`, a real file of the folder: whoever writes the folder must not have another file read in its
 * place.
 * @throws {ProblemList}
 */
export async function manifestBytes(folder: string): Promise<Uint8Array> {
  const path = `${folder}/app.toml`;
  try {
    await using file = await openInside(folder, path);
    if (file.size > MANIFEST_LIMIT) {
      throw new HandlerError("invalid", `it has more than ${MANIFEST_LIMIT} bytes`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.chunks()) chunks.push(chunk);
    return concatBytes(chunks);
  } catch (error) {
    const { kind, message } = asHandlerError(error);
    const text = kind === "not_found" || isMissing(error)
      ? "a mini app has a manifest app.toml in its folder"
      : message;
    throw new ProblemList(basename(folder), [new HandlerError("invalid", text, { where: { file: path } })]);
  }
}

/** What a person approves: a hash over everything in the manifest that decides what the app may do (contract H.5). */
export async function approvalHash(
  { name, version, needs, resources, routes }: AppManifest,
): Promise<string> {
  return await sha256Hex(
    utf8(JSON.stringify([name, version, sorted(needs), sorted(resources), sorted(routes)])),
  );
}

/** The same text for the same needs, whatever order the file has them in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).toSorted();
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]);
}
