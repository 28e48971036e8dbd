import { checkJson } from "../strict_json.ts";
import type { Methods } from "./methods.ts";
import { ask, askOrNull } from "./place.ts";

type Names =
  | "env"
  | "envType"
  | "setEnv"
  | "instanceEnv"
  | "getValue"
  | "setValue"
  | "getUserValue"
  | "setUserValue"
  | "listUserValues";

/** Variables, and durable values of the thread and of its person. */
export const valueMethods: Methods<Names> = {
  env: (at) => async (name) => await ask(at, "env", name) as string,
  envType: (at) => async (name) => await ask(at, "envType", name) as "text" | "secret",
  setEnv: (at) => async (name, value, options) => void await ask(at, "setEnv", name, value, options),
  instanceEnv: (at) => async (name) => await ask(at, "instanceEnv", name) as string | undefined ?? undefined,
  getValue: (at) => async <T>(key: string) => await askOrNull(at, "getValue", key) as T | null,
  setValue: (at) => async (key, value) => void await ask(at, "setValue", key, stored(value)),
  getUserValue: (at) => async <T>(key: string) => await askOrNull(at, "getUserValue", key) as T | null,
  setUserValue: (at) => async (key, value) => void await ask(at, "setUserValue", key, stored(value)),
  listUserValues: (at) => async () => await ask(at, "listUserValues") as Record<string, unknown>,
};

/** @throws {TypeError} what JSON would change */
function stored(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  checkJson(value, "value");
  return value;
}
