import { checkJson } from "../strict_json.ts";
import { ask, askOrNull, fire, type Place } from "./place.ts";

/** The person whose thread it is. */
export interface UserHandle {
  readonly id: string;
  getValue<T = unknown>(key: string): Promise<T | null>;
  setValue(key: string, value: unknown): Promise<void>;
  listValues(): Promise<Record<string, unknown>>;
  /** Sends an event to those who watch the thread. */
  emit(event: string, data: unknown): void;
}

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
