import { integer, map, name, optional, record, required, text, type ValueOf } from "../../schema/mod.ts";
import type { InterfaceLimits } from "../interface.ts";

const MB = 1_000_000;

/** An error's code: what a caller compares, so it never holds anything but these letters. */
export const errorCode = text({
  pattern: {
    rule: "an error code (1 to 40 of a-z, 0-9 and '_', starting with a letter)",
    test: /^[a-z][a-z0-9_]{0,39}$/,
  },
});

/** The limits of an interface that says none (contract S.13). */
export const DEFAULT_LIMITS: InterfaceLimits = {
  maxConcurrent: 4,
  maxCallsPerRun: 0,
  maxFileBytes: 20 * MB,
  maxOutputBytes: 20 * MB,
  maxMessageBytes: 16 * 2 ** 20,
  timeoutSeconds: 60,
  progressSeconds: 0,
};

const limits = record({
  maxConcurrent: optional(integer({ min: 1, max: 1000 }), DEFAULT_LIMITS.maxConcurrent),
  maxCallsPerRun: optional(integer({ min: 0, max: 1_000_000 }), DEFAULT_LIMITS.maxCallsPerRun),
  maxFileBytes: optional(integer({ min: 1, max: 10_000 * MB }), DEFAULT_LIMITS.maxFileBytes),
  maxOutputBytes: optional(integer({ min: 1, max: 10_000 * MB }), DEFAULT_LIMITS.maxOutputBytes),
  maxMessageBytes: optional(integer({ min: 1024, max: 64 * 2 ** 20 }), DEFAULT_LIMITS.maxMessageBytes),
  timeoutSeconds: optional(integer({ min: 1, max: 3600 }), DEFAULT_LIMITS.timeoutSeconds),
  progressSeconds: optional(integer({ min: 0, max: 3600 }), DEFAULT_LIMITS.progressSeconds),
});

/** `interface.toml`, `handler.interface/v1` (seed §4.1). */
export const interfaceShape = record({
  name: required(name),
  version: required(integer({ min: 1, max: 9999 })),
  description: required(text({ max: 200 })),
  limits: optional(limits, DEFAULT_LIMITS),
  errors: required(map(errorCode, text({ max: 200 }))),
});

/** What {@linkcode interfaceShape} reads. */
export type InterfaceFile = ValueOf<typeof interfaceShape>;
