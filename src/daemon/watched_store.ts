import type { Store } from "../store/mod.ts";
import type { Changes } from "./changes.ts";

/** The store, with a word to those who watch after each write that somebody may be shown. */
export function watchedStore(store: Store, changes: Changes): Store {
  const { calls, sessions, inbox } = store;
  return {
    ...store,
    calls: {
      ...calls,
      insert(record) {
        calls.insert(record);
        changes.tell("calls");
      },
    },
    sessions: {
      ...sessions,
      insert(record) {
        sessions.insert(record);
        changes.tell("sessions", record.id);
      },
      update(id, change) {
        sessions.update(id, change);
        changes.tell("sessions", id);
      },
      remove(id) {
        sessions.remove(id);
        changes.tell("sessions", id);
      },
    },
    inbox: {
      ...inbox,
      add(message, keep) {
        inbox.add(message, keep);
        changes.tell("inbox", message.person);
      },
      mark(person, ids, read) {
        const count = inbox.mark(person, ids, read);
        if (count > 0) changes.tell("inbox", person);
        return count;
      },
      forget(person) {
        inbox.forget(person);
        changes.tell("inbox", person);
      },
    },
  };
}
