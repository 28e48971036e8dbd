import type { Agents, Callables, Handlers, HookIds, Prompts } from "./names.ts";

/** A tool that ends a session, or says how it goes. */
export interface SessionToolBinding {
  name: Callables;
  /** The argument that is the result's text. */
  messageProperty?: string;
  /** The argument with paths of files that go with it. */
  attachmentsProperty?: string;
}

/** A child that a side may have. */
export interface SubagentRelationship {
  /** It must have `exposeAsTool: true`. */
  agent: Agents;
  /** The relationship's name; the agent's unless said. */
  as?: string;
  description?: string;
  /** How many live at once; any number unless said. */
  maxInstances?: number;
  /** Spawned when the thread is created. */
  immediate?: boolean | { nameEnv?: string; descriptionEnv?: string; scopedEnv?: string[] };
  /** Whether creating it waits for its session to end; false unless said. */
  blocking?: boolean;
  /** `implicit` unless said: the end of its session is told to the parent. */
  parentCommunication?: "implicit" | "explicit";
  scopedEnv?: string[];
  initUserMessageProperty?: string;
  initAttachmentsProperty?: string;
  initAgentNameProperty?: string;
  /** The variable that turns it on: `true`, `1` or `yes`. */
  optional?: string;
  /** Not offered to models. */
  hidden?: boolean;
  resumable?: never;
  receives_messages?: never;
}

/** What only a prompt has. */
interface NoPromptOptions {
  stopOnResponse?: never;
  stopTool?: never;
  stopToolResponseProperty?: never;
  maxSteps?: never;
  sessionStop?: never;
  sessionFail?: never;
  sessionStatus?: never;
  manualStopCondition?: never;
}

/** A person's side. */
export interface HumanSide extends NoPromptOptions {
  human: true;
  prompt?: never;
  handler?: never;
  label?: string;
  subagents?: SubagentRelationship[];
}

/** A side whose turns a function takes. */
export interface HandlerSide extends NoPromptOptions {
  handler: Handlers;
  human?: never;
  prompt?: never;
  label?: string;
  subagents?: SubagentRelationship[];
}

/** A side whose turns a model takes. */
export interface PromptSide {
  prompt: Prompts;
  human?: never;
  handler?: never;
  label?: string;
  subagents?: SubagentRelationship[];
  /** An answer without a tool call ends the turn; true unless said. */
  stopOnResponse?: boolean;
  /** A call of it ends the turn. */
  stopTool?: Callables;
  /** The argument of `stopTool` that is the answer. */
  stopToolResponseProperty?: string;
  maxSteps?: number;
  sessionStop?: SessionToolBinding;
  sessionFail?: SessionToolBinding;
  sessionStatus?: SessionToolBinding;
  manualStopCondition?: boolean;
}

/** Who stands behind a side: exactly one of a person, a prompt, a handler. */
export type SideConfig = HumanSide | PromptSide | HandlerSide;

/** A hook of a child that runs around its parent's. */
export interface ParentHook {
  hook: HookIds;
  reason: string;
  /** `after_parent` unless said. */
  stage?: "before_parent" | "after_parent";
}

/** `defineAgent` */
export interface AgentDefinition {
  name: string;
  sideA: SideConfig;
  sideB: SideConfig;
  /** The session ends after so many exchanges. */
  maxSessionTurns?: number;
  /** Whether others may call it, hand over to it, have it as a child; false unless said. */
  exposeAsTool?: boolean;
  toolDescription?: string;
  primary?: boolean;
  parentHooks?: ParentHook[];
  /** For prompts that name none. */
  hooks?: HookIds[];
  env?: Record<string, string>;
  description?: string;
  icon?: string;
  /** @deprecated */
  title?: string;
  /** @deprecated */
  tenvs?: unknown;
  packageName?: string;
  version?: string;
  author?: string;
  license?: string;
  type?: never;
}
