import { HandlerError, sha256Hex, utf8 } from "../base/mod.ts";
import type { BindingConfig, SecretReference } from "../config/mod.ts";
import type { EgressRule } from "../sandbox/mod.ts";
import type { Connector, Setting } from "./connector.ts";
import { egressOfUrl, egressText, parseEgress } from "../sandbox/mod.ts";
import { meantHint } from "./hints.ts";

/** A binding that holds against its connector: all that starting the connector's sandbox needs (contract G.2). */
export interface ResolvedBinding {
  readonly name: string;
  readonly description: string;
  readonly connector: Connector;
  /** Plain variables: settings and their defaults. */
  readonly env: Readonly<Record<string, string>>;
  /** References to secrets by variable name, with the slot's name for error messages. Values are resolved at a start. */
  readonly secrets: Readonly<Record<string, { readonly slot: string; readonly reference: SecretReference }>>;
  /** The connector's own egress and that of its `url` settings, each destination once. */
  readonly egress: readonly EgressRule[];
  /** SHA-256 over what the binding says, secret references included, its name and description left out. */
  readonly hash: string;
}

/** Either all is well, or everything that is not. */
export type BindingCheck =
  | { readonly ok: true; readonly binding: ResolvedBinding }
  | { readonly ok: false; readonly problems: readonly HandlerError[] };

/**
 * Holds a binding against its connector's manifest and finds all problems at once (contracts G.2, G.3): the connector
 * exists, required slots and settings are filled, no other ones are named, `url` settings are http(s) URLs without
 * credentials.
 */
export async function checkBinding(
  config: BindingConfig,
  connectors: ReadonlyMap<string, Connector>,
): Promise<BindingCheck> {
  const connector = config.uses.kind === "connector" ? connectors.get(config.uses.name) : undefined;
  if (!connector) return { ok: false, problems: [noConnector(config, connectors)] };
  const problems = [...secretProblems(config, connector), ...settingProblems(config, connector)];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, binding: await resolve(config, connector) };
}

/** The hash that call records and conformance results name a binding by; see {@linkcode ResolvedBinding.hash}. */
export async function bindingHash({ uses, secrets, settings }: BindingConfig): Promise<string> {
  return await sha256Hex(utf8(JSON.stringify([uses.kind, uses.name, sorted(secrets), sorted(settings)])));
}

/**
 * Whether a binding fits the interface it is selected for (contract G.3).
 * @returns the problem, or undefined
 */
export function checkImplements(binding: ResolvedBinding, interfaceId: string): HandlerError | undefined {
  const { connector, name } = binding;
  if (connector.implements.includes(interfaceId)) return undefined;
  const found = connector.implements.length ? connector.implements.join(", ") : "nothing";
  return new HandlerError(
    "invalid",
    `the binding ${name} must implement ${interfaceId}, its connector ${connector.name} implements ${found}`,
  );
}

async function resolve(config: BindingConfig, connector: Connector): Promise<ResolvedBinding> {
  const settings = Object.entries(connector.settings).flatMap(([name, setting]) => {
    const value = config.settings[name] ?? setting.default;
    return value === undefined ? [] : [{ setting, value }];
  });
  const secrets = Object.entries(config.secrets).map(([slot, reference]) => {
    return [connector.secretSlots[slot]!.env, { slot, reference }] as const;
  });
  const urls = settings.filter(({ setting }) => setting.type === "url").map(({ value }) => new URL(value));
  return {
    name: config.name,
    description: config.description,
    connector,
    env: Object.fromEntries(settings.map(({ setting, value }) => [setting.env, value])),
    secrets: Object.fromEntries(secrets),
    egress: distinct([...connector.egress.map(parseEgress), ...urls.map(egressOfUrl)]),
    hash: await bindingHash(config),
  };
}

function distinct(rules: readonly EgressRule[]): readonly EgressRule[] {
  return [...new Map(rules.map((rule) => [egressText(rule), rule])).values()];
}

function noConnector(config: BindingConfig, connectors: ReadonlyMap<string, Connector>): HandlerError {
  const { kind, name } = config.uses;
  if (kind === "addon") {
    return problem(
      config,
      "addon",
      `a service needs a binding of a connector, this one is of the addon ${name}`,
    );
  }
  return problem(
    config,
    "connector",
    `a binding names a connector that is there, found ${JSON.stringify(name)}`,
    meantHint(name, [...connectors.keys()]),
  );
}

function secretProblems(config: BindingConfig, connector: Connector): HandlerError[] {
  const { secretSlots } = connector;
  const unfilled = Object.entries(secretSlots)
    .filter(([slot, { required }]) => required && !Object.hasOwn(config.secrets, slot))
    .map(([slot, { description }]) =>
      problem(config, `secrets.${slot}`, `the connector ${connector.name} requires the secret slot ${slot}`, {
        hint: (description ? `${description}; ` : "") +
          `fill it with a reference, such as secrets = { ${slot} = { store = "${config.name}" } }`,
      })
    );
  const unknown = Object.keys(config.secrets).filter((slot) => !Object.hasOwn(secretSlots, slot))
    .map((slot) => unknownName(config, "secrets", "secret slot", slot, Object.keys(secretSlots)));
  return [...unfilled, ...unknown];
}

function settingProblems(config: BindingConfig, connector: Connector): HandlerError[] {
  const { settings } = connector;
  const unfilled = Object.entries(settings)
    .filter(([name, { required, default: fallback }]) =>
      required && fallback === undefined && !Object.hasOwn(config.settings, name)
    )
    .map(([name, { description }]) =>
      problem(
        config,
        `settings.${name}`,
        `the connector ${connector.name} requires the setting ${name}`,
        description ? { hint: description } : {},
      )
    );
  const given = Object.entries(config.settings).flatMap(([name, value]) => {
    if (!Object.hasOwn(settings, name)) {
      return [unknownName(config, "settings", "setting", name, Object.keys(settings))];
    }
    const rule = brokenValue(settings[name]!, value);
    return rule ? [problem(config, `settings.${name}`, rule)] : [];
  });
  return [...unfilled, ...given];
}

/** What a setting's value breaks, or undefined. A URL with credentials is not repeated: they are secrets. */
export function brokenValue(setting: Pick<Setting, "type">, value: string): string | undefined {
  if (/\p{Cc}/u.test(value)) return "a setting holds no control characters";
  if (setting.type === "text") return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.username || url.password)) {
    return "a URL setting holds no user name or password: use a secret slot";
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.port === "0") {
    return `the setting must be an http or https URL, found ${JSON.stringify(value)}`;
  }
  return undefined;
}

function unknownName(
  config: BindingConfig,
  table: "secrets" | "settings",
  word: string,
  name: string,
  known: readonly string[],
): HandlerError {
  const message = `the connector ${config.uses.name} has no ${word} ${JSON.stringify(name)}`;
  return problem(config, `${table}.${name}`, message, meantHint(name, known));
}

function problem(
  config: BindingConfig,
  key: string,
  message: string,
  details: { hint?: string } = {},
): HandlerError {
  return new HandlerError("invalid", message, { ...details, where: { file: config.file, key } });
}

function sorted<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
