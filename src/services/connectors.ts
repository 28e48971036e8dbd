import { basename, join } from "node:path";
import { asHandlerError, deepFreeze, HandlerError, mapAtMost, ProblemList } from "../base/mod.ts";
import { listFolder, readBytes, statIfThere } from "../platform/mod.ts";
import { decodeTomlFile } from "../schema/mod.ts";
import type { Connector } from "./connector.ts";
import { type ConnectorFile, connectorShape } from "./connectors/shape.ts";
import { manifestProblems } from "./connectors/rules.ts";
import { folderHash } from "./folder_hash.ts";
import type { Interface } from "./interface.ts";

/** What of a connector's folder is installed or built beside it and does not count for its hash. */
export const CONNECTOR_HASH_LEAVES_OUT = ["node_modules", "build"] as const;

/** Where connectors lie, and the interfaces they may implement. */
export interface ConnectorSources {
  readonly shippedFolder: string;
  /** The person's own; undefined or missing where there are none. */
  readonly userFolder: string | undefined;
  readonly interfaces: ReadonlyMap<string, Interface>;
}

/** All connectors that could be read, by name, and everything that is wrong. */
export interface ConnectorSet {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly problems: readonly HandlerError[];
}

/**
 * Reads every `<name>/connector.toml` strictly (seed §6). One bad connector leaves the others usable: it is left out and
 * its problems are told. An interface that is not there is told too, but does not take the connector away. The person's
 * own connectors come with `origin: "user"` and count only once trusted, see `trust.ts`.
 */
export async function loadConnectors(sources: ConnectorSources): Promise<ConnectorSet> {
  const connectors = new Map<string, Connector>();
  const problems: HandlerError[] = [];
  for (
    const [folder, origin] of [[sources.shippedFolder, "shipped"], [sources.userFolder, "user"]] as const
  ) {
    const read = (path: string) => readConnector(path, origin, sources.interfaces);
    for (const { connector, problems: found } of await mapAtMost(8, await connectorFolders(folder), read)) {
      problems.push(...found);
      if (!connector) continue;
      if (connectors.has(connector.name)) problems.push(takenName(connector.folder));
      else connectors.set(connector.name, connector);
    }
  }
  return { connectors, problems };
}

/** Reads one connector's folder; `connector` is undefined where its manifest cannot be used. */
export async function readConnector(
  folder: string,
  origin: Connector["origin"],
  interfaces: ReadonlyMap<string, Interface>,
): Promise<{ readonly connector: Connector | undefined; readonly problems: readonly HandlerError[] }> {
  const file = join(folder, "connector.toml");
  try {
    const options = { file, kind: "connector", shape: connectorShape };
    const decoded = decodeTomlFile(await manifestBytes(file), options);
    const { record } = decoded;
    const problems = [...decoded.problems, ...manifestProblems(decoded, basename(folder), interfaces)];
    if (record && !await hasEntry(folder, record)) {
      problems.push(decoded.problem(["runtime", "entry"], "must be a file of the connector's folder"));
    }
    const usable = problems.every(({ where }) => where?.key?.startsWith("implements"));
    return { connector: record && usable ? await toConnector(record, folder, origin) : undefined, problems };
  } catch (error) {
    return {
      connector: undefined,
      problems: error instanceof ProblemList ? error.problems : [asHandlerError(error)],
    };
  }
}

async function manifestBytes(file: string): Promise<Uint8Array> {
  const info = await statIfThere(file);
  if (info?.isFile) return await readBytes(file);
  throw new HandlerError("invalid", "a connector's folder holds a file connector.toml", { where: { file } });
}

async function connectorFolders(folder: string | undefined): Promise<readonly string[]> {
  const entries = folder === undefined ? [] : await listFolder(folder);
  return entries.filter(({ name, kind }) => kind === "folder" && !name.startsWith("."))
    .map(({ name }) => join(folder!, name));
}

async function hasEntry(folder: string, { runtime }: ConnectorFile): Promise<boolean> {
  return runtime.kind !== "deno" || (await statIfThere(join(folder, runtime.entry)))?.isFile === true;
}

async function toConnector(
  record: ConnectorFile,
  folder: string,
  origin: Connector["origin"],
): Promise<Connector> {
  const { resources, ...rest } = record;
  const { memory, ...others } = resources;
  return deepFreeze({
    ...rest,
    folder,
    tools: record.tools,
    resources: { memoryBytes: memory, ...others },
    hash: await hashNow(folder),
    origin,
  });
}

/**
 * Refuses a connector of the person's own whose files are no longer those that were trusted (contract S.20): what runs
 * is read from its folder at each start, long after the folder's hash was taken.
 *
 * @throws {HandlerError} `denied`
 */
export async function refuseChanged({ name, folder, hash, origin }: Connector): Promise<void> {
  if (origin === "shipped" || await hashNow(folder) === hash) return;
  throw new HandlerError("denied", `the connector ${name} has changed since it was trusted`, {
    hint: `look at it again: handler trust ${name}`,
  });
}

async function hashNow(folder: string): Promise<string> {
  return await folderHash(folder, { leaveOut: CONNECTOR_HASH_LEAVES_OUT });
}

function takenName(path: string): HandlerError {
  return new HandlerError("invalid", `a connector of the name ${basename(path)} ships with Handler`, {
    where: { file: join(path, "connector.toml"), key: "name" },
    hint: "rename the folder and the connector in it",
  });
}
