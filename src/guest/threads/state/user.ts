import type { UserHandle } from "../../spec/state.ts";
import { checkJson } from "../strict_json.ts";
import { ask, askOrNull, fire, type Place } from "./place.ts";

/** Null where the thread is nobody's. */
export function userOf(at: Place): UserHandle | null {
  const id = at.thread.userId;
  if (id === null) return null;
  return {
    id,
    getValue: async <T>(key: string) => await askOrNull(at, "getUserValue", key) as T | null,
    setValue: async (key, value) => {
      if (value !== undefined && value !== null) checkJson(value, "value");
      await ask(at, "setUserValue", key, value ?? null);
    },
    listValues: async () => await ask(at, "listUserValues") as Record<string, unknown>,
    emit: (event, data) => fire(at, "emit", event, data ?? null),
  };
}
