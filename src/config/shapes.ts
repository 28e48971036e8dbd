import {
  absolutePath,
  boolean,
  convert,
  envName,
  exactlyOne,
  hostPort,
  integer,
  interfaceId,
  type Kind,
  leaf,
  list,
  map,
  name,
  oneOf,
  oneOrMore,
  optional,
  type Reading,
  record,
  required,
  slotName,
  text,
  unshown,
} from "../schema/mod.ts";
import {
  type AgentConfig,
  type BindingConfig,
  ENV_PLACES,
  type MainConfig,
  type PersonConfig,
  type ProjectConfig,
  type SecretReference,
  type Selection,
  type ThreadsConfig,
} from "./records.ts";

/** Gives the person's home folder, for paths that start with `~/`. */
export type Home = () => string;

/** What a file says; its name and path are added by the loader. */
export type Draft<T extends { readonly name: string; readonly file: string }> = Omit<T, "name" | "file">;

/** What a person's file says; what it leaves out follows from whose it is. */
export interface PersonFile {
  readonly displayName: PersonConfig["displayName"] | undefined;
  readonly desktop: PersonConfig["desktop"] | undefined;
  readonly env: PersonConfig["env"];
}

/** The greatest count of seconds or days that is still a plan: a hundred years of days. */
const LONG = 36_500;

const address = hostPort();
const selection: Kind<Selection> = map(name, oneOrMore(name));
const currency = text({ pattern: { rule: 'three capital letters, such as "EUR"', test: /^[A-Z]{3}$/ } });
const updateUrl = text({
  max: 2000,
  pattern: {
    rule: "an address that begins with https://",
    test: /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])\S+$/,
  },
});
const variables = map(envName, unshown(text({ empty: true })));

const THREADS: ThreadsConfig = {
  turnLimitSeconds: 600,
  idleSeconds: 300,
  pingPongTurns: 100,
  projectTurns: 64,
  allTurns: 256,
  envOrder: ENV_PLACES,
};

/** The shape of `config.toml`. */
export function mainShape(home: Home): Kind<MainConfig> {
  return record({
    sandbox: optional(oneOf("auto", "podman", "bubblewrap", "deno"), "auto"),
    denoDriverFor: optional(list(name, { unique: true }), []),
    image: optional(text({ max: 500 })),
    egress: optional(
      record({ caFile: optional(absolutePath({ home })), dial: optional(map(address, address), {}) }),
      { caFile: undefined, dial: {} },
    ),
    connectors: optional(record({ idleSeconds: optional(integer({ min: 1, max: 86_400 * 7 }), 600) }), {
      idleSeconds: 600,
    }),
    records: optional(record({ keepDays: optional(integer({ min: 1, max: LONG }), 30) }), { keepDays: 30 }),
    currency: optional(currency, "EUR"),
    update: optional(record({ url: optional(updateUrl) }), { url: undefined }),
    threads: optional(threadsShape(), THREADS),
  });
}

function threadsShape(): Kind<ThreadsConfig> {
  const [week, turns] = [integer({ min: 1, max: 86_400 * 7 }), integer({ min: 1, max: 10_000 })];
  return record({
    turnLimitSeconds: optional(week, THREADS.turnLimitSeconds),
    idleSeconds: optional(week, THREADS.idleSeconds),
    pingPongTurns: optional(integer({ min: 2, max: 1_000_000 }), THREADS.pingPongTurns),
    projectTurns: optional(turns, THREADS.projectTurns),
    allTurns: optional(turns, THREADS.allTurns),
    envOrder: optional(list(oneOf(...ENV_PLACES), { min: 1, unique: true }), THREADS.envOrder),
  });
}

/** The shape of `agents/<name>.toml`. */
export function agentShape(): Kind<Draft<AgentConfig>> {
  const fields = record({
    project: required(name),
    harness: required(
      oneOf("claude-code", "codex", "gemini", "opencode", "vibe", "command", "external"),
    ),
    command: optional(list(text(), { min: 1 })),
    model: optional(text({ max: 200 })),
    addons: optional(list(name, { unique: true }), []),
    services: optional(selection, {}),
    egress: optional(list(hostPort({ wildcard: true }), { unique: true }), []),
    env: optional(variables, {}),
    image: optional(text({ max: 500 })),
  });
  return convert(fields, (agent, at) => {
    if (agent.harness === "command" && !agent.command) {
      at.in("command").problem('is missing, which the harness "command" needs');
    }
    if (agent.harness !== "command" && agent.command) {
      at.in("command").problem(`must be left out, only the harness "command" takes it`);
    }
    return { ...agent, command: agent.command ?? [] };
  });
}

/** The shape of `projects/<name>.toml`. */
export function projectShape(home: Home): Kind<Draft<ProjectConfig>> {
  return record({
    path: required(absolutePath({ home })),
    requires: optional(convert(list(interfaceId, { unique: true }), oneVersionEach), []),
    services: optional(selection, {}),
    privacy: optional(oneOf("local", "any"), "any"),
    env: optional(variables, {}),
  });
}

/** An agent uses exactly one version of each interface (seed §4.3). */
function oneVersionEach(ids: readonly string[], at: Reading): readonly string[] {
  const names = ids.map((id) => id.split("/")[0]);
  const again = names.findIndex((one, index) => names.indexOf(one) !== index);
  if (again === -1 || ids.indexOf(ids[again] as string) !== again) return ids;
  at.in(again).problem(`must name each interface once, found a second version of "${names[again]}"`);
  return ids;
}

/** What one unit costs: a decimal text keeps every digit as it is written. */
export const price: Kind<number> = leaf("a price from 0 to 1000000000, such as 0.001", (value) => {
  const decimal = typeof value === "string" && /^[0-9]{1,10}(\.[0-9]{1,15})?$/.test(value);
  if (!decimal && typeof value !== "number" && typeof value !== "bigint") return undefined;
  const taken = Number(value);
  return taken >= 0 && taken <= 1e9 ? taken : undefined;
});

/** The shape of `bindings/<name>.toml`. */
export function bindingShape(home: Home): Kind<Draft<BindingConfig>> {
  const fields = record({
    connector: optional(name),
    addon: optional(name),
    description: optional(text({ empty: true, max: 1000 }), ""),
    secrets: optional(map(slotName, secretReference(home)), {}),
    settings: optional(map(slotName, text({ empty: true })), {}),
    prices: optional(map(slotName, price), {}),
  });
  return convert(fields, ({ connector, addon, ...rest }, at) => {
    const uses = used(connector, addon);
    if (uses) return { uses, ...rest };
    if (addon !== undefined) return at.in("addon").problem('must not stand beside "connector"');
    return at.in("connector").problem('is missing, must name a connector (or "addon" an addon)');
  });
}

/** A name that is shown turns no text around and hides nothing. */
const shownName = text({
  max: 100,
  pattern: {
    rule: "a name on one line, without marks of direction",
    test: /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u,
  },
});

/** The shape of `persons/<name>.toml`. */
export function personShape(): Kind<PersonFile> {
  return record({
    displayName: optional(shownName),
    desktop: optional(boolean),
    env: optional(variables, {}),
  });
}

function used(connector: string | undefined, addon: string | undefined): BindingConfig["uses"] | undefined {
  if (connector !== undefined && addon === undefined) return { kind: "connector", name: connector };
  if (addon !== undefined && connector === undefined) return { kind: "addon", name: addon };
  return undefined;
}

/** A reference to a secret (contract F). */
function secretReference(home: Home): Kind<SecretReference> {
  const kinds = exactlyOne({
    command: unshown(list(text(), { min: 1 })),
    file: unshown(absolutePath({ home })),
    env: unshown(envName),
    store: unshown(name),
  });
  return convert(kinds, (given): SecretReference => {
    if (given.kind === "command") return { kind: "command", argv: given.value };
    if (given.kind === "file") return { kind: "file", path: given.value };
    return { kind: given.kind, name: given.value };
  });
}
