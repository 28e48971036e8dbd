import type { AttachmentRef, ToolAttachment } from "./messages.ts";
import type { Callables } from "./names.ts";
import type { ThreadState } from "./state.ts";

/** An object schema of Zod 4, by its form alone: `z.object({ … })`. */
export interface ArgumentsSchema {
  readonly shape: object;
  readonly _zod: { readonly output: object };
}

/** What a schema gives when it has read the arguments. */
export type ArgumentsOf<Schema extends ArgumentsSchema> = Schema["_zod"]["output"];

/** What a tool came to. */
export interface ToolResult {
  status: "success" | "error";
  result?: string;
  error?: string;
  stack?: string;
  error_code?: string;
  error_data?: unknown;
  attachments?: (ToolAttachment | AttachmentRef)[];
  subagent_id?: string;
}

/** A variable that a prompt or a tool reads. */
export interface VariableDefinition {
  name: string;
  type: "text" | "secret";
  required: boolean;
  description: string;
  /** Each child has its own. */
  scoped?: boolean;
}

/** What a tool is, its arguments aside. */
export interface ToolOptions {
  /** What a model reads. */
  description: string;
  variables?: VariableDefinition[];
  /** What it may call itself; anything where this is left out. */
  uses?: Callables[];
  executionMode?: "local" | "provider";
  executionProvider?: string;
  /** The argument that says in words what is being done. */
  progressArgument?: string;
  /** @deprecated Use `variables`. */
  tenvs?: unknown;
}

/** A tool that takes arguments. */
export interface ToolWithArguments<Schema extends ArgumentsSchema> extends ToolOptions {
  args: Schema;
  execute: (state: ThreadState, args: ArgumentsOf<Schema>) => Promise<ToolResult>;
}

/** A tool that takes none. */
export interface ToolWithoutArguments extends ToolOptions {
  args?: null;
  execute: (state: ThreadState) => Promise<ToolResult>;
}

/** `defineTool` */
export type ToolDefinition<Schema extends ArgumentsSchema = ArgumentsSchema> =
  | ToolWithArguments<Schema>
  | ToolWithoutArguments;
