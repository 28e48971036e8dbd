import { HandlerError, nearest } from "../base/mod.ts";
import { decodeTomlFile, type EditValue, isTable, type Kind, type TomlTable } from "../schema/mod.ts";
import type { MainConfig } from "./records.ts";

/** A key of `config.toml`, as a person sets it one at a time. */
export interface Setting {
  /** `threads.turnLimitSeconds` */
  readonly key: string;
  readonly kind: "text" | "integer" | "choice";
  /** Of a choice. */
  readonly choices: readonly string[];
  readonly description: string;
  /** Whether a new value counts only from the daemon's next start on. */
  readonly restart: boolean;
  /** What a set says, as text; empty where it says nothing. */
  read(main: MainConfig): string;
  /** A text as it is written into the file; what breaks a rule is found when the file is read. */
  write(text: string): EditValue;
}

type Plain = Pick<Setting, "key" | "description" | "read"> & Partial<Pick<Setting, "restart">>;

/** Every key, in the order in which they are shown. */
export const SETTINGS: readonly Setting[] = [
  choice(["auto", "podman", "bubblewrap", "deno"], {
    key: "sandbox",
    description:
      "What confines agents, connectors and apps; auto takes podman where it works, else bubblewrap",
    restart: true,
    read: (main) => main.sandbox,
  }),
  list({
    key: "denoDriverFor",
    description: "Connectors and apps that may run where only Deno's permissions confine them",
    read: (main) => main.denoDriverFor.join(", "),
  }),
  text({
    key: "image",
    description: "An image for podman in place of the pinned one",
    restart: true,
    read: (main) => main.image ?? "",
  }),
  text({
    key: "egress.caFile",
    description: "A file of certificate authorities (PEM) that sandboxes trust besides the usual ones",
    restart: true,
    read: (main) => main.egress.caFile ?? "",
  }),
  pairs({
    key: "egress.dial",
    description:
      "Where a host and port is really dialled: api.example.com:443 = 127.0.0.1:8443, more after commas",
    restart: true,
    read: (main) => Object.entries(main.egress.dial).map(([from, to]) => `${from} = ${to}`).join(", "),
  }),
  integer({
    key: "connectors.idleSeconds",
    description: "How long a connector that nobody calls is kept running",
    read: (main) => String(main.connectors.idleSeconds),
  }),
  integer({
    key: "records.keepDays",
    description: "How long records of calls and logs of sessions are kept",
    read: (main) => String(main.records.keepDays),
  }),
  text({
    key: "currency",
    description: "What the prices of bindings are in: three letters, such as EUR",
    read: (main) => main.currency,
  }),
  text({
    key: "update.url",
    description: "Where handler update looks: a folder behind https with handlerd-<target> and SHA256SUMS",
    read: (main) => main.update.url ?? "",
  }),
  integer({
    key: "threads.turnLimitSeconds",
    description: "The longest turn of a handler or a prompt",
    read: (main) => String(main.threads.turnLimitSeconds),
  }),
  integer({
    key: "threads.idleSeconds",
    description: "How long the process for a project's own code is kept without work",
    read: (main) => String(main.threads.idleSeconds),
  }),
  integer({
    key: "threads.pingPongTurns",
    description: "After so many turns without a message from outside, the log tells of it",
    read: (main) => String(main.threads.pingPongTurns),
  }),
  integer({
    key: "threads.projectTurns",
    description: "Turns under way at once in one project",
    read: (main) => String(main.threads.projectTurns),
  }),
  integer({
    key: "threads.allTurns",
    description: "Turns under way at once in all projects",
    read: (main) => String(main.threads.allTurns),
  }),
  list({
    key: "threads.envOrder",
    description: "Where a variable of a thread is looked for, the first place first",
    read: (main) => main.threads.envOrder.join(", "),
  }),
];

/** @throws {HandlerError} `not_found`, with the nearest key */
export function settingOf(key: string): Setting {
  const found = SETTINGS.find((one) => one.key === key);
  if (found) return found;
  const near = nearest(key, SETTINGS.map((one) => one.key));
  throw new HandlerError("not_found", `there is no setting ${JSON.stringify(key)}`, {
    hint: near ? `did you mean ${near}?` : "see them all: handler settings",
  });
}

/** Which keys a text of `config.toml` says; none of a text that is no TOML. */
export function settingsIn(source: string): ReadonlySet<string> {
  const table = tableOf(source);
  const said = (key: string) => {
    const last = key.split(".").reduce<unknown>(
      (at, step) => isTable(at as never) ? (at as TomlTable)[step] : undefined,
      table,
    );
    return last !== undefined;
  };
  return new Set(SETTINGS.map(({ key }) => key).filter(said));
}

const anything: Kind<TomlTable> = { rule: "a table", read: (value) => isTable(value) ? value : undefined };

function tableOf(source: string): TomlTable {
  try {
    return decodeTomlFile(source, { file: "config.toml", kind: undefined, shape: anything }).record ?? {};
  } catch {
    return {};
  }
}

function text(plain: Plain): Setting {
  return { kind: "text", choices: [], restart: false, write: (given) => given, ...plain };
}

function choice(choices: readonly string[], plain: Plain): Setting {
  return { ...text(plain), kind: "choice", choices };
}

function integer(plain: Plain): Setting {
  // what is no integer goes into the file's check as the text that it is, which then says the rule
  const write = (given: string) => /^[0-9]{1,15}$/.test(given.trim()) ? BigInt(given.trim()) : given;
  return { ...text(plain), kind: "integer", write };
}

function list(plain: Plain): Setting {
  return { ...text(plain), write: parts };
}

function pairs(plain: Plain): Setting {
  const write = (given: string) =>
    Object.fromEntries(
      parts(given).map((part) => {
        const at = part.indexOf("=");
        return at === -1 ? [part, ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
      }),
    );
  return { ...text(plain), write };
}

function parts(given: string): readonly string[] {
  return given.split(",").map((part) => part.trim()).filter((part) => part !== "");
}
