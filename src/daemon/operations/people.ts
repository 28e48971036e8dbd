import type { AppOperations, InboxItem, PersonView } from "../../api/mod.ts";
import { HandlerError } from "../../base/mod.ts";
import { OWNER, type PersonConfig } from "../../config/mod.ts";
import type { InboxMessage } from "../../store/mod.ts";
import type { Parts } from "../assemble.ts";
import { reload } from "./configuration.ts";

/** Persons and what they were told. */
export type PeopleOperations = Pick<
  AppOperations,
  "persons" | "personAdd" | "personRemove" | "inbox" | "inboxRead" | "inboxUnread"
>;

/** Persons who use apps here, and their inboxes (seed `mini-apps.md` §8, contract I.9). */
export function peopleOperations(parts: Parts): PeopleOperations {
  const { configuration, editor, inbox } = parts;
  const persons = () => configuration.current().persons;
  return {
    persons: () => Promise.resolve([...persons().values()].map((person) => personView(parts, person))),
    async personAdd({ name, displayName, desktop }) {
      const known = persons().get(name);
      // what a person says only by default is not written down
      const shown = known && known.displayName !== name ? known.displayName : undefined;
      const onDesktop = known && known.desktop !== (name === OWNER) ? known.desktop : undefined;
      const said = {
        displayName: displayName ?? shown,
        desktop: desktop ?? onDesktop,
        env: known?.env ?? {},
      };
      await editor.savePerson(name, said);
      await reload(parts);
      return personView(parts, persons().get(name)!);
    },
    async personRemove(name) {
      refuseUsed(parts, name);
      await editor.removePerson(name);
      await reload(parts);
      inbox.forget(name);
    },
    // deno-lint-ignore require-await -- what is thrown must reject
    inbox: async (person, unreadOnly) => inbox.list(person, unreadOnly).map(itemOf),
    // deno-lint-ignore require-await -- what is thrown must reject
    inboxRead: async (person, ids) => inbox.mark(person, ids, true),
    // deno-lint-ignore require-await -- what is thrown must reject
    inboxUnread: async (person, ids) => inbox.mark(person, ids, false),
  };
}

function personView({ apps, inbox }: Parts, { name, displayName, desktop, file }: PersonConfig): PersonView {
  const usable = apps.registry.all().filter((app) => apps.mayUse(app.name, name)).map((app) => app.name);
  return { name, displayName, desktop, apps: usable, unread: inbox.unread(name), file: file ?? null };
}

function refuseUsed({ apps }: Parts, name: string): void {
  if (name === OWNER) throw new HandlerError("conflict", "the owner is always there");
  const shared = apps.registry.all().filter(({ settings }) => settings.persons.includes(name));
  const [first] = shared;
  if (!first) return;
  const names = shared.map((app) => app.name).join(", ");
  throw new HandlerError("conflict", `the person ${name} may still use ${names}`, {
    hint: `take it away first: handler app share ${first.name} ${name} --remove`,
  });
}

function itemOf({ id, title, text, source, at, link, read }: InboxMessage): InboxItem {
  return { id, title, text, source, at, link, read };
}
