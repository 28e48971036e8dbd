import type { ConnectorView, DeskOperations, KeptCheck } from "../../api/mod.ts";
import { HandlerError } from "../../base/mod.ts";
import type { BindingCheck, Connector } from "../../services/mod.ts";
import type { ConformanceResult } from "../../store/mod.ts";
import type { Parts } from "../assemble.ts";

/** What checks of connectors have given, and whether it still counts. */
export function provenOperations(parts: Parts): Pick<DeskOperations, "connectorChecks"> {
  return {
    // deno-lint-ignore require-await -- what is thrown must reject
    async connectorChecks(name) {
      const { store, services: { catalog } } = parts;
      const connector = catalog.allConnectors.get(name);
      if (!connector) throw new HandlerError("not_found", `there is no connector ${JSON.stringify(name)}`);
      return store.conformance.latest(name).map((kept) => keptCheck(parts, connector, kept));
    },
  };
}

function keptCheck(parts: Parts, connector: Connector, kept: ConformanceResult): KeptCheck {
  const { binding, interfaceId, ranAt, passed, cases } = kept;
  const check = parts.services.catalog.bindings.get(binding);
  return {
    ...{ binding, interfaceId, at: ranAt, passed },
    state: check && counts(parts, connector, check, kept) ? passed ? "proven" : "failed" : "changed",
    cases: cases.map((one) => ({
      name: one.name,
      state: one.passed ? "passed" : "failed",
      ms: one.durationMs,
      detail: one.detail,
    })),
  };
}

/** Whether a binding's connector has passed an interface's cases, as all three are now. */
export function provenState(
  parts: Parts,
  connector: Connector,
  binding: string,
  check: BindingCheck,
  interfaceId: string,
): ConnectorView["proven"][number] {
  const latest = parts.store.conformance.latest(connector.name)
    .find((one) => one.binding === binding && one.interfaceId === interfaceId);
  if (!latest || !check.ok) return { interfaceId, binding, state: "unproven", at: null };
  const same = counts(parts, connector, check, latest);
  const state = !same ? "changed" : latest.passed ? "proven" : "failed";
  return { interfaceId, binding, state, at: latest.ranAt };
}

function counts(parts: Parts, connector: Connector, check: BindingCheck, kept: ConformanceResult): boolean {
  return check.ok && kept.connectorHash === connector.hash && kept.bindingHash === check.binding.hash &&
    kept.interfaceHash === parts.services.catalog.interfaces.get(kept.interfaceId)?.hash;
}
