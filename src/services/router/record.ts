import { newId } from "../../base/mod.ts";
import type { CallRecord } from "../../store/mod.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { CallFailure } from "./failure.ts";
import type { Caller, ServedInterface } from "./ports.ts";

/** What is learned of a call on its way, for its record. */
export interface Course {
  readonly startedAt: number;
  queueMs: number;
  startMs: number;
  upstreamMs: number;
  validateMs: number;
  bytesIn: number;
  bytesOut: number;
  units: Readonly<Record<string, number>>;
  hosts: readonly string[];
  binding: ResolvedBinding | undefined;
  /** The binding that was tried last, also one that did not start. */
  tried: string;
}

const NO_HOSTS: readonly string[] = [];
const NO_UNITS: Readonly<Record<string, number>> = {};

/** A call at its beginning. */
export function newCourse(startedAt: number, bytesIn: number): Course {
  return {
    startedAt,
    queueMs: 0,
    startMs: 0,
    upstreamMs: 0,
    validateMs: 0,
    bytesIn,
    bytesOut: 0,
    units: NO_UNITS,
    hosts: NO_HOSTS,
    binding: undefined,
    tried: "",
  };
}

/** Who called what, and how it came to its end. */
export interface Ended {
  readonly caller: Caller;
  readonly served: ServedInterface;
  readonly tool: string;
  readonly traceparent: string | undefined;
  readonly failure: CallFailure | undefined;
  readonly totalMs: number;
}

/** The record of a call that has ended. */
export function recordOf(course: Course, ended: Ended): CallRecord {
  const { definition } = ended.served;
  return {
    id: newId(course.startedAt),
    startedAt: course.startedAt,
    caller: ended.caller.id,
    session: ended.caller.session,
    interfaceId: definition.id,
    interfaceHash: definition.hash,
    tool: ended.tool,
    binding: course.tried,
    connector: course.binding?.connector.name ?? "",
    connectorHash: course.binding?.connector.hash ?? "",
    queueMs: course.queueMs,
    startMs: course.startMs,
    upstreamMs: course.upstreamMs,
    validateMs: course.validateMs,
    totalMs: ended.totalMs,
    bytesIn: course.bytesIn,
    bytesOut: course.bytesOut,
    units: course.units,
    hosts: course.hosts,
    error: ended.failure?.code ?? null,
    detail: ended.failure?.detail ?? null,
    traceId: ended.traceparent?.split("-")[1] ?? null,
  };
}
