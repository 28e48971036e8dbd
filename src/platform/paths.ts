import { HandlerError } from "../base/mod.ts";
import { env, userId } from "./env.ts";

/** One row of the table of places: what a person may set, where it lies otherwise, what it holds. */
export interface Place {
  readonly name: keyof Folders;
  readonly variable: string;
  readonly holds: string;
  readonly fallback: () => string;
}

/** The four folders Handler uses. */
export interface Folders {
  /** What a person writes. */
  readonly config: string;
  /** Data, apps, threads, stored secrets. */
  readonly data: string;
  /** Registry, call records, logs. */
  readonly state: string;
  /** Sockets; gone after a restart of the machine. */
  readonly runtime: string;
}

const APP = "handler-ai";

/** The one table of all folders; `handler paths` prints it. */
export const PLACES: readonly Place[] = [
  {
    name: "config",
    variable: "HANDLER_CONFIG_DIR",
    holds: "what a person writes: config, agents, projects, bindings, persons",
    fallback: () => under("XDG_CONFIG_HOME", ".config"),
  },
  {
    name: "data",
    variable: "HANDLER_DATA_DIR",
    holds: "data, apps, threads, stored secrets, the user's own interfaces and connectors",
    fallback: () => under("XDG_DATA_HOME", ".local/share"),
  },
  {
    name: "state",
    variable: "HANDLER_STATE_DIR",
    holds: "registry, call records, session logs",
    fallback: () => under("XDG_STATE_HOME", ".local/state"),
  },
  {
    name: "runtime",
    variable: "HANDLER_RUNTIME_DIR",
    holds: "sockets and staged files, mode 0700",
    fallback: runtimeFallback,
  },
];

function under(variable: string, inHome: string): string {
  const base = env(variable);
  if (base?.startsWith("/")) return `${base}/${APP}`;
  return `${homeFolder()}/${inHome}/${APP}`;
}

function runtimeFallback(): string {
  const base = env("XDG_RUNTIME_DIR");
  if (base?.startsWith("/")) return `${base}/${APP}`;
  return `/tmp/${APP}-${userId() ?? 0}`;
}

/** The person's home folder. */
export function homeFolder(): string {
  const home = env("HOME");
  if (!home) throw new HandlerError("usage", "HOME is not set, so there is no folder for Handler's files");
  return home;
}

/** Where everything lies in this environment. A set variable must be an absolute path. */
export function folders(): Folders {
  const found = PLACES.map(({ name, variable, fallback }) => {
    const set = env(variable);
    if (set !== undefined && !set.startsWith("/")) {
      throw new HandlerError("usage", `${variable} must be an absolute path, found ${JSON.stringify(set)}`);
    }
    return [name, set?.replace(/\/+$/, "") ?? fallback()];
  });
  return Object.fromEntries(found) as unknown as Folders;
}
