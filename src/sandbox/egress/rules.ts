import type { EgressRule } from "../spec.ts";
import { normalHost } from "./dial.ts";

/** Whether a rule stands for many names, so that only the proxy can serve it. */
export function isWildcard(rule: EgressRule): boolean {
  return rule.host.startsWith("*.");
}

/** Rules in the one spelling, the same destination once. */
export function normalRules(rules: readonly EgressRule[]): readonly EgressRule[] {
  const found = new Map<string, EgressRule>();
  for (const rule of rules) {
    const { host, port, namedLocal } = { ...rule, host: normalHost(rule.host) };
    const known = found.get(`${host}:${port}`);
    found.set(`${host}:${port}`, { host, port, namedLocal: namedLocal || (known?.namedLocal ?? false) });
  }
  return [...found.values()];
}

/**
 * The rule that admits a destination, with the destination's own name in it; undefined where none does. A wildcard
 * stands for one or more labels and never for the name behind it.
 */
export function admits(rules: readonly EgressRule[], host: string, port: number): EgressRule | undefined {
  const name = normalHost(host);
  const exact = rules.find((rule) => rule.host === name && rule.port === port);
  if (exact) return exact;
  const wide = rules.find((rule) =>
    isWildcard(rule) && rule.port === port && name.endsWith(rule.host.slice(1))
  );
  return wide && /^[a-z0-9.-]+$/.test(name) ? { host: name, port, namedLocal: false } : undefined;
}
