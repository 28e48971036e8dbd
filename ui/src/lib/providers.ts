import type { BindingView } from "$client";
import { hasText, t } from "$texts";
import { list } from "./format.ts";

/** The names of an interface's id: `ocr/v1` is `ocr` and `v1`. */
export function partsOf(id: string): { readonly name: string; readonly version: string } {
  const [name = id, version = "v1"] = id.split("/");
  return { name, version };
}

/** How a person calls a service: in the catalogue's words where it has them, else by its own name. */
export function serviceTitle(id: string): string {
  const { name, version } = partsOf(id);
  const key = `services.names.${name}`;
  const title = hasText(key) ? t(key) : name;
  return version === "v1" ? title : t("services.version", { title, version });
}

/** How a person calls a provider that is set up. */
export function providerTitle({ name, description }: Pick<BindingView, "name" | "description">): string {
  return description || name;
}

/** Hosts as a person reads them: the port that everybody has is left out. */
export function hostNames(egress: readonly string[]): readonly string[] {
  return [...new Set(egress.map((one) => one.replace(/:443$/, "")))];
}

/** Where the data goes, in words. */
export function whereTo(egress: readonly string[]): string {
  if (egress.length === 0) return t("provider.stays");
  const hosts = list(hostNames(egress));
  return staysHere(egress) ? t("provider.server", { hosts }) : t("provider.sends", { hosts });
}

/** Whether nothing leaves this machine: no address is reached, or only its own. */
export function staysHere(egress: readonly string[]): boolean {
  return egress.every((one) => /^(localhost|127(\.\d+){3}|\[::1\]):\d+$/.test(one));
}
