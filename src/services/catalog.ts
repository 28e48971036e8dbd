import { HandlerError } from "../base/mod.ts";
import type { BindingConfig, Selection } from "../config/mod.ts";
import { type BindingCheck, checkBinding, type ResolvedBinding } from "./bindings.ts";
import type { Connector } from "./connector.ts";
import { loadConnectors } from "./connectors.ts";
import { meantHint } from "./hints.ts";
import type { Interface } from "./interface.ts";
import { loadInterfaces } from "./interfaces.ts";
import type { SoundFile } from "./interfaces/sound.ts";
import type { ServedInterface } from "./router/ports.ts";
import { serveInterface } from "./router/serve.ts";
import { trustedOnly, type TrustStore, type Untrusted } from "./trust.ts";

/** Where interfaces and connectors lie: those that ship with Handler and the person's own. */
export interface CatalogFolders {
  readonly shippedInterfaces: string;
  readonly shippedConnectors: string;
  readonly userInterfaces: string;
  readonly userConnectors: string;
  /** Where it is kept which of the person's own interfaces are sound; undefined lints them each time. */
  readonly soundInterfaces: SoundFile | undefined;
}

/** What is installed and configured at one moment. A reload makes a new one and swaps it in whole. */
export class Catalog {
  /** Everything that could be read, untrusted things too. */
  readonly allInterfaces: ReadonlyMap<string, Interface>;
  readonly allConnectors: ReadonlyMap<string, Connector>;
  /** What counts: shipped, or the person's own with a pinned hash (contract S.20). */
  readonly interfaces: ReadonlyMap<string, Interface>;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly untrusted: readonly Untrusted[];
  readonly problems: readonly HandlerError[];
  readonly bindings: ReadonlyMap<string, BindingCheck>;
  readonly #served = new Map<string, ServedInterface>();

  private constructor(
    made: Omit<Catalog, "served" | "binding" | "toolsOf" | "selected" | "selectionProblems">,
  ) {
    this.allInterfaces = made.allInterfaces;
    this.allConnectors = made.allConnectors;
    this.interfaces = made.interfaces;
    this.connectors = made.connectors;
    this.untrusted = made.untrusted;
    this.problems = made.problems;
    this.bindings = made.bindings;
  }

  /** Reads the folders and holds every binding against its connector. */
  static async load(
    folders: CatalogFolders,
    trust: Pick<TrustStore, "isTrusted">,
    bindings: ReadonlyMap<string, BindingConfig>,
  ): Promise<Catalog> {
    const { shippedInterfaces, userInterfaces, shippedConnectors, userConnectors } = folders;
    const sources = { shippedFolder: shippedInterfaces, userFolder: userInterfaces };
    const interfaces = await loadInterfaces(sources, folders.soundInterfaces);
    const connectors = await loadConnectors({
      shippedFolder: shippedConnectors,
      userFolder: userConnectors,
      interfaces: interfaces.interfaces,
    });
    const trustedInterfaces = trustedOnly(interfaces.interfaces, trust);
    const trustedConnectors = trustedOnly(connectors.connectors, trust);
    const services = [...bindings].filter(([, binding]) => binding.uses.kind === "connector");
    const checks = services.map(async ([name, config]) => {
      const untrusted = trustedConnectors.untrusted.find((one) => one.name === config.uses.name);
      const check = untrusted
        ? notTrusted(config, untrusted)
        : await checkBinding(config, trustedConnectors.trusted);
      return [name, check] as const;
    });
    return new Catalog({
      allInterfaces: interfaces.interfaces,
      allConnectors: connectors.connectors,
      interfaces: trustedInterfaces.trusted,
      connectors: trustedConnectors.trusted,
      untrusted: [...trustedInterfaces.untrusted, ...trustedConnectors.untrusted],
      problems: [...interfaces.problems, ...connectors.problems],
      bindings: new Map(await Promise.all(checks)),
    });
  }

  /** A binding that holds. @throws {HandlerError} it is not there, or the first rule that it breaks */
  binding(name: string): ResolvedBinding {
    const check = this.bindings.get(name);
    if (!check) {
      const hint = meantHint(name, [...this.bindings.keys()]);
      throw new HandlerError("not_found", `there is no binding ${JSON.stringify(name)} of a connector`, hint);
    }
    if (!check.ok) throw check.problems[0];
    return check.binding;
  }

  /** The tools of the interfaces that a binding's connector implements, those that count. */
  toolsOf({ connector }: ResolvedBinding): readonly string[] {
    return connector.implements.flatMap((id) => this.interfaces.get(id)?.tools ?? []).map(({ name }) => name);
  }

  /** An interface with its schemas compiled, once per catalog. */
  served(id: string): ServedInterface {
    const known = this.#served.get(id);
    if (known) return known;
    const definition = this.interfaces.get(id);
    if (!definition) {
      const hint = meantHint(id, [...this.interfaces.keys()]);
      throw new HandlerError("not_found", `there is no interface ${JSON.stringify(id)} that counts`, hint);
    }
    const served = serveInterface(definition);
    this.#served.set(id, served);
    return served;
  }

  /**
   * The version of each selected interface that a caller gets: the one its project requires, else the highest that every
   * selected binding implements (an agent uses one version of each, contract G.3).
   */
  selected(selection: Selection, requires: readonly string[]): ReadonlyMap<string, string> {
    const chosen = Object.entries(selection).flatMap(([name, bindings]) => {
      const id = requires.find((one) => nameOf(one) === name) ?? this.#highest(name, bindings);
      return id === undefined || bindings.length === 0 ? [] : [[name, id] as const];
    });
    return new Map(chosen);
  }

  #highest(name: string, bindings: readonly string[]): string | undefined {
    const versions = [...this.interfaces.values()].filter((one) => one.name === name)
      .sort((a, b) => b.version - a.version);
    const implementing = (id: string) => {
      return bindings.every((binding) => {
        const check = this.bindings.get(binding);
        return !check?.ok || check.binding.connector.implements.includes(id);
      });
    };
    return versions.find(({ id }) => implementing(id))?.id;
  }
}

function notTrusted(config: BindingConfig, { name }: Untrusted): BindingCheck {
  const problem = new HandlerError("denied", `the connector ${name} is not trusted as it is now`, {
    where: { file: config.file, key: "connector" },
    hint: `look at it: handler trust ${name}`,
  });
  return { ok: false, problems: [problem] };
}

/** `ocr` of `ocr/v1`. */
function nameOf(id: string): string {
  return id.split("/")[0]!;
}
