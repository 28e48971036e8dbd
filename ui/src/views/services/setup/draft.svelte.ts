import {
  type BindingView,
  type ConnectorView,
  HandlerError,
  type NewBinding,
  ProblemList,
  type SecretView,
} from "$client";
import { client } from "$lib/client.ts";
import { t } from "$texts";
import { draftOf, freeName, nameFor, priceOf, type SecretDraft } from "./names.ts";

/** A price as it is written. */
export interface PriceRow {
  unit: string;
  price: string;
}

/** What a draft is made of. */
export interface DraftParts {
  readonly connector: ConnectorView;
  /** The provider that is changed; undefined for a new one. */
  readonly known: BindingView | undefined;
  /** Names of bindings that are taken. */
  readonly taken: readonly string[];
  readonly secrets: readonly SecretView[];
}

/** A provider as a form has it, until it is saved. */
export class ProviderDraft {
  description = $state("");
  settings = $state<Record<string, string>>({});
  secrets = $state<Record<string, SecretDraft>>({});
  prices = $state<PriceRow[]>([]);
  readonly #parts: DraftParts;
  #name = $state<string | undefined>();

  constructor(parts: DraftParts) {
    this.#parts = parts;
    const { connector, known } = parts;
    this.description = known?.description ?? "";
    for (const { name, default: standard } of connector.settings) {
      this.settings[name] = known?.settings[name] ?? (known ? "" : standard ?? "");
    }
    for (const { name, required } of connector.secretSlots) {
      const draft = draftOf(known?.secrets[name]);
      this.secrets[name] = draft.way === "none" && required && !known ? { way: "typed", value: "" } : draft;
    }
    this.prices = Object.entries(known?.prices ?? {}).map(([unit, price]) => ({
      unit,
      price: String(price),
    }));
  }

  /** The name of its file: the person's, else made of the description. */
  get name(): string {
    const { connector, known, taken } = this.#parts;
    return known?.name ?? this.#name ?? nameFor(this.description || connector.name, taken);
  }

  set name(name: string) {
    this.#name = name === "" ? undefined : name;
  }

  /** Keeps what was typed, then writes the provider. What cannot be kept leaves nothing behind. */
  async save(): Promise<BindingView> {
    const prices = this.#prices();
    this.#check();
    const kept: { readonly name: string; readonly isNew: boolean }[] = [];
    try {
      const secrets: Record<string, string> = {};
      for (const [slot, { way, value }] of Object.entries(this.secrets)) {
        if (way === "typed") {
          const one = this.#storeName(slot);
          await client.secretSet(one.name, new TextEncoder().encode(value));
          kept.push(one);
          secrets[slot] = `store:${one.name}`;
        } else if (way !== "none") secrets[slot] = `${way}:${value.trim()}`;
      }
      const saved = await client.bindingAdd(this.#binding(secrets, prices));
      this.#forget(secrets);
      return saved;
    } catch (error) {
      const made = kept.filter(({ isNew }) => isNew);
      await Promise.all(made.map(({ name }) => client.secretRemove(name).catch(() => {})));
      throw error;
    }
  }

  #binding(secrets: Readonly<Record<string, string>>, prices: Readonly<Record<string, number>>): NewBinding {
    const { connector, known } = this.#parts;
    const written = Object.entries(this.settings).map(([name, value]) => [name, value.trim()] as const);
    return {
      name: this.name,
      connector: connector.name,
      description: this.description.trim(),
      settings: Object.fromEntries(
        written.filter(([name, value]) => value !== "" && !this.#isStandard(name, value)),
      ),
      secrets,
      prices,
      replace: known !== undefined,
    };
  }

  /** What the connector takes anyway need not stand in the file, unless it did. */
  #isStandard(name: string, value: string): boolean {
    const { connector, known } = this.#parts;
    const standard = connector.settings.find((one) => one.name === name)?.default;
    return standard === value && known?.settings[name] === undefined;
  }

  /** A secret that only this provider uses is replaced; else what is typed gets a name of its own. */
  #storeName(slot: string): { readonly name: string; readonly isNew: boolean } {
    const { known, secrets, connector } = this.#parts;
    const before = draftOf(known?.secrets[slot]);
    const own = secrets.find(({ name, usedBy }) =>
      before.way === "store" && before.value === name && usedBy.every((one) => one === known?.name)
    );
    if (own) return { name: own.name, isNew: false };
    const several = connector.secretSlots.length > 1;
    const name = freeName(several ? `${this.name}-${slot}` : this.name, secrets.map((one) => one.name));
    return { name, isNew: true };
  }

  #check(): void {
    const required = new Set(
      this.#parts.connector.secretSlots.filter((one) => one.required).map((one) => one.name),
    );
    const problems = Object.entries(this.secrets).flatMap(([slot, { way, value }]) => {
      const missing = way === "none" ? required.has(slot) : value.trim() === "";
      return missing ? [problem(`secrets.${slot}`, t("services.form.secretMissing"))] : [];
    });
    if (problems.length > 0) throw new ProblemList(this.name, problems);
  }

  #prices(): Record<string, number> {
    const rows = this.prices.filter(({ unit, price }) => unit.trim() !== "" || price.trim() !== "");
    const wrong = rows.findIndex(({ unit, price }) => unit.trim() === "" || priceOf(price) === undefined);
    if (wrong !== -1) throw problem("prices", t("services.form.priceWrong"));
    return Object.fromEntries(rows.map(({ unit, price }) => [unit.trim(), priceOf(price)!]));
  }

  /** What was typed is not kept in the page. */
  #forget(secrets: Readonly<Record<string, string>>): void {
    for (const slot of Object.keys(this.secrets)) this.secrets[slot] = draftOf(secrets[slot]);
  }
}

function problem(key: string, message: string): HandlerError {
  return new HandlerError("usage", message, { where: { key } });
}
