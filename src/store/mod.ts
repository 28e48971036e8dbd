/**
 * What Handler remembers, in one SQLite file: calls, conformance results, trusted hashes, sessions, connections, inboxes.
 * @module
 */
export type { Store, StoreOptions } from "./open.ts";
export { openStore } from "./open.ts";
export type { CallRecord } from "./calls.ts";
export type { CallPoint, CallSpan, CallTally } from "./call_stats.ts";
export type { CallFilter, CallRepository } from "./calls_repository.ts";
export type {
  ConformanceCase,
  ConformanceRepository,
  ConformanceResult,
  ConformanceSubject,
} from "./conformance.ts";
export type { TrustKind, TrustPin, TrustRepository } from "./trust.ts";
export type { SessionChange, SessionRecord, SessionRepository, SessionState } from "./sessions.ts";
export type { InboxMessage, InboxRepository } from "./inbox.ts";
export type { EgressEntry, EgressFilter, EgressRepository, HostTally } from "./egress.ts";
export * from "./threads/records.ts";
export * from "./threads/ports.ts";
export type { ThreadStoreOptions } from "./threads/open.ts";
export { openThreadStore } from "./threads/open.ts";
