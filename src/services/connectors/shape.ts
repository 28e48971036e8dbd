import { HandlerError } from "../../base/mod.ts";
import {
  boolean,
  convert,
  envName,
  hostPort,
  integer,
  interfaceId,
  json,
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
  type ValueOf,
} from "../../schema/mod.ts";
import type { ConnectorRuntime } from "../connector.ts";
import { parseEgress } from "../../sandbox/mod.ts";

/** A destination of A.3: what `hostPort` takes, without addresses in disguise and wildcards that are too wide. */
const egress = convert(hostPort({ wildcard: true }), (value, at) => {
  try {
    parseEgress(value);
    return value;
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    return at.problem(error.message);
  }
});

/** A variable of the connector's sandbox; those that Handler and the runtime set are not a manifest's. */
const ownEnv: Kind<string> = convert(envName, (value, at) => {
  if (!/^(?:HANDLER_|DENO_|LD_|DYLD_)|^PATH$/.test(value)) return value;
  return at.problem(`must not be a variable that Handler or the runtime sets, found ${value}`);
});

const note = optional(text({ empty: true }), "");
const words = list(text(), { min: 1 });

/** Exactly one of `entry`, `image`, `command`, `urlSetting` says what runs (contract S.15); `kind` may name it. */
const runtime = convert(
  record({
    kind: optional(oneOf("deno", "image", "mcp-stdio", "mcp-http")),
    entry: optional(relativePath),
    image: optional(text()),
    argv: optional(list(text())),
    command: optional(words),
    urlSetting: optional(slotName),
  }),
  (value, at): ConnectorRuntime | undefined => {
    const { kind, argv, ...rest } = value;
    const given = Object.values(rest).filter((part) => part !== undefined);
    if (given.length > 1) return at.problem("must have exactly one of entry, image, command, urlSetting");
    if (argv && rest.image === undefined) return at.in("argv").problem("goes with image alone");
    const made = toRuntime(value);
    if (kind === undefined || kind === made.kind) return made;
    return at.in("kind").problem(`must fit the key beside it: ${made.kind}, found ${kind}`);
  },
);

function toRuntime(value: {
  readonly entry: string | undefined;
  readonly image: string | undefined;
  readonly argv: readonly string[] | undefined;
  readonly command: readonly string[] | undefined;
  readonly urlSetting: string | undefined;
}): ConnectorRuntime {
  const { entry, image, argv, command, urlSetting } = value;
  if (image !== undefined) return { kind: "image", image, argv: argv ?? [] };
  if (command) return { kind: "mcp-stdio", command };
  if (urlSetting !== undefined) return { kind: "mcp-http", urlSetting };
  return { kind: "deno", entry: entry ?? "main.ts" };
}

const DENO_RUNTIME: ConnectorRuntime = { kind: "deno", entry: "main.ts" };
const MEGABYTE = 2 ** 20;

/** `connector.toml`, `handler.connector/v1` (seed §6). */
export const connectorShape = record({
  name: required(name),
  description: required(text({ max: 200 })),
  implements: required(list(interfaceId, { min: 1, unique: true })),
  egress: optional(list(egress, { unique: true }), []),
  secretSlots: optional(
    map(slotName, record({ env: required(ownEnv), required: optional(boolean, true), description: note })),
    {},
  ),
  settings: optional(
    map(
      slotName,
      record({
        env: required(ownEnv),
        required: optional(boolean, false),
        description: note,
        type: optional(oneOf("text", "url"), "text"),
        default: optional(text({ empty: true })),
      }),
    ),
    {},
  ),
  runtime: optional(runtime, DENO_RUNTIME),
  resources: optional(
    record({
      memory: optional(size({ min: 16 * MEGABYTE, max: 1024 * 1024 * MEGABYTE }), 512 * MEGABYTE),
      pids: optional(integer({ min: 1, max: 100_000 }), 256),
      cpus: optional(number({ min: 0.01, max: 1024 })),
    }),
    { memory: 512 * MEGABYTE, pids: 256, cpus: undefined },
  ),
  tools: optional(
    map(
      slotName,
      record({
        tool: required(text({ max: 128 })),
        arguments: optional(map(slotName, text({ max: 128 })), {}),
        files: optional(oneOf("base64", "data-url", "text"), "base64"),
        result: optional(json),
      }),
    ),
    {},
  ),
});

/** What {@linkcode connectorShape} reads. */
export type ConnectorFile = ValueOf<typeof connectorShape>;
