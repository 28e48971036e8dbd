import type { JsonObject } from "../base/mod.ts";

/** The three error codes that are the platform's own (contract S.9). */
export const PLATFORM_ERRORS = ["invalid_input", "limit", "cancelled"] as const;

/** Limits of an interface (contract S.13); all have defaults. */
export interface InterfaceLimits {
  readonly maxConcurrent: number;
  /** Calls in one run: a session of an agent, a connection of a client outside; 0 for no limit. */
  readonly maxCallsPerRun: number;
  readonly maxFileBytes: number;
  readonly maxOutputBytes: number;
  readonly maxMessageBytes: number;
  readonly timeoutSeconds: number;
  /** The longest that a connector may go without progress in a call; 0 where it need not report any. */
  readonly progressSeconds: number;
}

/** One tool as the agent sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

/** An interface version: the contract as data (seed §4). */
export interface Interface {
  /** `ocr` */
  readonly name: string;
  readonly version: number;
  /** `ocr/v1` */
  readonly id: string;
  readonly description: string;
  readonly folder: string;
  readonly limits: InterfaceLimits;
  /** Error code to meaning, `unavailable` always among them. */
  readonly errors: Readonly<Record<string, string>>;
  readonly tools: readonly ToolDefinition[];
  /** The text of tools.json as it stands in the file: what `tools/list` serves (contract S.14). */
  readonly toolsText: string;
  /** SKILL.md, front matter included. */
  readonly skill: string;
  /** SHA-256 over the sorted files (contract S.7). */
  readonly hash: string;
  /** `shipped` ones are trusted; `user` ones count only once trusted (contract S.20). */
  readonly origin: "shipped" | "user";
}
