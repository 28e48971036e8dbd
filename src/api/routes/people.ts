import { readBody } from "../body.ts";
import type { AppOperations } from "../app_ports.ts";
import { Query } from "../query.ts";
import { data, done, made, parameter, type Route } from "../route.ts";
import { boolean, list, optional, record, required, text } from "../../schema/mod.ts";

const personBody = record({
  name: required(text()),
  displayName: optional(text({ max: 100 })),
  desktop: optional(boolean),
});
const readIdsBody = record({ ids: required(list(text(), { max: 10_000 })) });

/** Persons and what they were told. */
export function peopleRoutes(operations: AppOperations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/persons", handle: async () => data(await operations.persons()) },
    {
      method: "POST",
      path: "/v1/persons",
      async handle(c) {
        const { name, displayName = null, desktop = null } = await readBody(c.req.raw, personBody);
        const person = await operations.personAdd({ name, displayName, desktop });
        return made(person, `/v1/persons/${person.name}`);
      },
    },
    {
      method: "DELETE",
      path: "/v1/persons/:name",
      async handle(c) {
        await operations.personRemove(parameter(c, "name"));
        return done();
      },
    },
    {
      method: "GET",
      path: "/v1/persons/:name/inbox",
      async handle(c) {
        const unreadOnly = new Query(c.req.url, ["unread"]).flag("unread");
        return data(await operations.inbox(parameter(c, "name"), unreadOnly));
      },
    },
    {
      method: "POST",
      path: "/v1/persons/:name/inbox/unread",
      async handle(c) {
        await operations.inboxUnread(parameter(c, "name"), (await readBody(c.req.raw, readIdsBody)).ids);
        return done();
      },
    },
    {
      method: "POST",
      path: "/v1/persons/:name/inbox/read",
      async handle(c) {
        await operations.inboxRead(parameter(c, "name"), (await readBody(c.req.raw, readIdsBody)).ids);
        return done();
      },
    },
  ];
}
