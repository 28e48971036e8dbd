import { HandlerError, type Json } from "../../base/mod.ts";
import { findVariable } from "../engine/env.ts";
import { objectArgument, type RunContext, type StateMethod, textArgument, wordArgument } from "./context.ts";
import { threadOf } from "./messages.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Bytes of one value as JSON. */
const VALUE_LIMIT = 1024 * 1024;

/** Variables and values, of a thread and of its person (threads.md §3.2). */
export const VALUE_METHODS: Readonly<Record<string, StateMethod>> = {
  getValue(context, id, [key]) {
    const text = context.engine.ports.store.value(id, textArgument("getValue", "the key", key));
    return text === undefined ? null : JSON.parse(text);
  },

  async setValue(context, id, [key, value]) {
    const name = textArgument("setValue", "the key", key);
    const text = stored("setValue", value);
    await context.engine.write("process", (tx, acts) => {
      acts.thread(tx, id);
      tx.putValue(id, name, text);
    });
    return undefined;
  },

  getUserValue(context, id, [key]) {
    const person = threadOf(context.engine.ports.store, id).person;
    const name = textArgument("getUserValue", "the key", key);
    const text = person === null ? undefined : context.engine.ports.store.personValue(person, name);
    return text === undefined ? null : JSON.parse(text);
  },

  async setUserValue(context, id, [key, value]) {
    const person = threadOf(context.engine.ports.store, id).person;
    if (person === null) {
      throw new HandlerError("conflict", `the thread ${id} is nobody's, so it has no person's values`);
    }
    const name = textArgument("setUserValue", "the key", key);
    const text = stored("setUserValue", value);
    await context.engine.write("process", (tx) => tx.putPersonValue(person, name, text));
    return undefined;
  },

  listUserValues(context, id) {
    const person = threadOf(context.engine.ports.store, id).person;
    const all = person === null ? [] : context.engine.ports.store.personValues(person);
    return Object.fromEntries(all.map(({ key, value }) => [key, JSON.parse(value)]));
  },

  env(context, id, [name]) {
    const wanted = textArgument("env", "the name", name);
    const found = variable(context, id, wanted);
    if (!found) {
      const order = context.engine.ports.settings().envOrder.join(", ");
      throw new HandlerError(
        "not_found",
        `the variable ${wanted} has no value; it was looked for in: ${order}`,
      );
    }
    return found.value;
  },

  envType(context, id, [name]) {
    return variable(context, id, textArgument("envType", "the name", name))?.type ?? "secret";
  },

  instanceEnv(context, _, [name]) {
    return context.engine.ports.instanceEnv(context.project)[textArgument("instanceEnv", "the name", name)] ??
      null;
  },

  async setEnv(context, id, [name, value, given]) {
    const variable = textArgument("setEnv", "the name", name);
    if (!NAME.test(variable)) {
      throw new HandlerError(
        "usage",
        `state.setEnv: a name is letters, digits and "_", not "${variable.slice(0, 40)}"`,
      );
    }
    if (typeof value !== "string") {
      throw new HandlerError("usage", `state.setEnv: the value of ${variable} is a text`);
    }
    const options = objectArgument("setEnv", "the options", given);
    await context.engine.write("process", (tx, acts) => {
      acts.thread(tx, id);
      const known = tx.env(id).find((row) => row.name === variable)?.type ?? "secret";
      const type = wordArgument("setEnv", "type", options["type"], ["text", "secret"], known);
      tx.putEnv(id, { name: variable, value, type });
    });
    return undefined;
  },
};

/** The variable of a thread as the code that runs sees it. */
export function variable(context: RunContext, id: string, name: string) {
  const { ports } = context.engine;
  const given = id === context.thread ? context.toolEnv?.[name] : undefined;
  if (given !== undefined) return { value: given, type: "text", place: "prompt" } as const;
  const sources = { ports, definitions: context.definitions, prompt: context.prompt };
  return findVariable(ports.store, sources, threadOf(ports.store, id), name);
}

/** JSON text; undefined takes the value away. */
function stored(method: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = JSON.stringify(value);
  if (text.length <= VALUE_LIMIT) return text;
  throw new HandlerError(
    "usage",
    `state.${method}: a value has at most ${VALUE_LIMIT} characters as JSON, not ${text.length}`,
  );
}
