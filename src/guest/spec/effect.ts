import type { ThreadState } from "./state.ts";
import type { ArgumentsOf, ArgumentsSchema } from "./tool.ts";

/** `defineEffect`: what it does, the schema of its arguments, the function. Its name is its file's. */
export type EffectDefinition<Schema extends ArgumentsSchema = ArgumentsSchema> =
  | readonly [description: string, schema: Schema, execute: EffectWithArguments<Schema>]
  | readonly [description: string, schema: null, execute: EffectWithoutArguments];

/** A delayed function that takes arguments. */
export type EffectWithArguments<Schema extends ArgumentsSchema> = (
  state: ThreadState,
  args: ArgumentsOf<Schema>,
) => Promise<void>;

/** A delayed function that takes none. */
export type EffectWithoutArguments = (state: ThreadState) => Promise<void>;
