import { HandlerError } from "../base/mod.ts";
import type { Connector } from "./connector.ts";
import type { Interface } from "./interface.ts";

/** What a person can trust. */
export type TrustKind = "interface" | "connector";

/** The person's pins, as the store keeps them: a name is trusted with one hash and no other (contract S.20). */
export interface TrustStore {
  isTrusted(kind: TrustKind, name: string, hash: string): boolean;
  pin(kind: TrustKind, name: string, hash: string): unknown;
}

/** Something of the person's folder that does not count yet. */
export interface Untrusted {
  readonly kind: TrustKind;
  /** `notes/v1`, or a connector's name. */
  readonly name: string;
  readonly hash: string;
  readonly folder: string;
}

/** One part of what {@linkcode describeForTrust} shows. */
export interface TrustSection {
  readonly title: string;
  readonly text: string;
}

/** What a person is shown before trusting. */
export interface TrustDescription extends Untrusted {
  readonly sections: readonly TrustSection[];
}

/** Interfaces or connectors that count: shipped ones, and the person's own whose very hash is pinned. */
export function trustedOnly<T extends Interface | Connector>(
  all: ReadonlyMap<string, T>,
  store: Pick<TrustStore, "isTrusted">,
): { readonly trusted: ReadonlyMap<string, T>; readonly untrusted: readonly Untrusted[] } {
  const untrusted: Untrusted[] = [];
  const trusted = [...all].filter(([, one]) => {
    const subject = subjectOf(one);
    const counts = one.origin === "shipped" || store.isTrusted(subject.kind, subject.name, subject.hash);
    if (!counts) untrusted.push(subject);
    return counts;
  });
  return { trusted: new Map(trusted), untrusted };
}

/**
 * Pins what a person has just been shown. `shownHash` is the hash of the description: where the files have changed
 * since, nothing is pinned.
 * @throws {HandlerError} `conflict`
 */
export function trust(one: Interface | Connector, shownHash: string, store: Pick<TrustStore, "pin">): void {
  const { kind, name, hash } = subjectOf(one);
  if (hash !== shownHash) {
    throw new HandlerError("conflict", `the ${kind} ${name} has changed since it was shown`, {
      hint: `look at it again: handler trust ${name}`,
    });
  }
  store.pin(kind, name, hash);
}

/** Everything that a person must see before trusting: what the model will read, or what a connector may do. */
export function describeForTrust(one: Interface | Connector): TrustDescription {
  return {
    ...subjectOf(one),
    sections: "toolsText" in one ? interfaceSections(one) : connectorSections(one),
  };
}

function subjectOf(one: Interface | Connector): Untrusted {
  const { hash, folder } = one;
  return "toolsText" in one
    ? { kind: "interface", name: one.id, hash, folder }
    : { kind: "connector", name: one.name, hash, folder };
}

/** Whole and unchanged: an excerpt could leave out the sentence that matters. */
function interfaceSections(one: Interface): readonly TrustSection[] {
  const errors = Object.entries(one.errors).map(([code, meaning]) => `${code}: ${meaning}`);
  return [
    { title: "Description", text: one.description },
    { title: "Tools, as the model reads them", text: one.toolsText },
    { title: "Skill, as the model reads it", text: one.skill },
    { title: "Errors", text: errors.join("\n") },
  ];
}

function connectorSections(one: Connector): readonly TrustSection[] {
  return [
    { title: "Description", text: one.description },
    { title: "Implements", text: one.implements.join(", ") },
    { title: "Runs", text: runs(one) },
    { title: "May reach", text: reaches(one) },
    { title: "Takes the secrets", text: Object.keys(one.secretSlots).join(", ") || "none" },
    {
      title: "Memory, processes",
      text: `${Math.round(one.resources.memoryBytes / 2 ** 20)} MiB, ${one.resources.pids}`,
    },
  ];
}

function reaches({ egress, settings }: Connector): string {
  const urls = Object.entries(settings).filter(([, { type }]) => type === "url")
    .map(([name]) => `the address that a binding sets as ${name}`);
  return [...egress, ...urls].join(", ") || "nothing outside its sandbox";
}

function runs({ runtime }: Connector): string {
  switch (runtime.kind) {
    case "deno":
      return `${runtime.entry} with Deno`;
    case "image":
      return `the image ${runtime.image}${runtime.argv.length ? `: ${runtime.argv.join(" ")}` : ""}`;
    case "mcp-stdio":
      return `the MCP server ${runtime.command.join(" ")}`;
    case "mcp-http":
      return `the MCP server at the address of the setting ${runtime.urlSetting}`;
  }
}
