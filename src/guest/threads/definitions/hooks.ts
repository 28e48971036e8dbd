import type { HookName } from "../../spec/hook.ts";

const NAMES: Readonly<Record<HookName, true>> = {
  after_thread_created: true,
  after_subagent_created: true,
  after_system_message: true,
  filter_messages: true,
  prefilter_llm_history: true,
  before_create_message: true,
  after_create_message: true,
  before_update_message: true,
  after_update_message: true,
  before_store_tool_result: true,
  after_tool_call_success: true,
  after_tool_call_failure: true,
  tool_call_started: true,
  tool_call_done: true,
};

/** When a hook of a thread may run. */
export const HOOKS: readonly string[] = Object.keys(NAMES);

/** Hooks that belong to users, and so to nobody here. */
export const USER_HOOKS: readonly string[] = [
  "user_client_attached",
  "user_client_detached",
  "user_value_changed",
];
