/**
 * Interfaces, connectors and bindings, and the router that carries calls between them (seed `services.md`, contract S).
 * @module
 */
export * from "./interface.ts";
export * from "./connector.ts";
export {
  type BindingCheck,
  bindingHash,
  checkBinding,
  checkImplements,
  type ResolvedBinding,
} from "./bindings.ts";
export { Catalog, type CatalogFolders } from "./catalog.ts";
export type { ConnectorFolders } from "./connector_sandbox.ts";
export { CONNECTOR_INSIDE } from "./connector_sandbox.ts";
export { type InterfaceSet, type InterfaceSources, lintInterface, loadInterfaces } from "./interfaces.ts";
export { freezeProblems, publish, type Published, readPublished } from "./interfaces/published.ts";
export type { Instance, Instances, InstanceStatus, Lease } from "./router/instances.ts";
export type { Caller, RouterPorts, SecretLease, ServedInterface, ServedTool } from "./router/ports.ts";
export { InsideCalls, type InsideOptions } from "./router/inside.ts";
export type { Piece } from "./router/pieces.ts";
export type { Progress } from "./router/upstream.ts";
export { mediaTypeOf } from "./router/media.ts";
export { CallFailure } from "./router/failure.ts";
export { type CallerSockets, Router, type ServedSet } from "./router/router.ts";
export {
  type OpenServices,
  type OwnCall,
  type OwnCallReport,
  type ServiceCaller,
  Services,
  type ServicesPorts,
} from "./services.ts";
export { interfaceStub, type StubFiles } from "./stub.ts";
export { type CallSpan, openTelemetry, type Telemetry } from "./telemetry.ts";
export {
  describeForTrust,
  trust,
  type TrustDescription,
  type TrustKind,
  type TrustSection,
  type TrustStore,
  type Untrusted,
} from "./trust.ts";
export { type CaseReport, type ConformanceReport, toStored } from "./conformance/report.ts";
export type { Finding, Unprovoked } from "./conformance/expectation.ts";
export type { SoundFile } from "./interfaces/sound.ts";
