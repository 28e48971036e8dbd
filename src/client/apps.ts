import type { AppOperations } from "../api/mod.ts";
import { part, post } from "./paths.ts";
import type { Transport } from "./transport.ts";

/** Mini apps, asked of the daemon. */
export function appClient(transport: Transport) {
  const at = (name: string, rest = "") => `apps/${part(name)}${rest}`;
  return {
    apps: () => transport.ask("apps"),
    app: (name) => transport.ask(at(name)),
    appNew: (name, folder) => transport.ask("apps/new", post({ name, folder })),
    appAdd: (folder) => transport.ask("apps", post({ folder })),
    appCheck: (folder, onLine) => transport.follow("apps/check", { folder }, onLine),
    appPlan: (name) => transport.ask(at(name, "/plan")),
    appDeploy: (name, hash, onStep) => transport.follow(at(name, "/deploy"), { hash }, onStep),
    appRollbackPlan: (name) => transport.ask(at(name, "/rollback")),
    appRollback: (name) => transport.ask(at(name, "/rollback"), { method: "POST" }),
    appVersions: (name) => transport.ask(at(name, "/versions")),
    appSettle: (name, settings) =>
      transport.ask(at(name, "/settings"), { method: "PUT", json: { ...settings } }),
    appBackups: (name) => transport.ask(at(name, "/backups")),
    appBackup: (name, folder) => transport.ask(at(name, "/backup"), post({ folder })),
    appRestore: (name, from) => transport.ask(at(name, "/restore"), post({ from })),
    appExport: (name, file) => transport.ask(at(name, "/export"), post({ file })),
    appImport: (file) => transport.ask("apps/import", post({ file })),
    appStop: (name) => transport.ask(at(name, "/stop"), { method: "POST" }),
    appLog: async (name) => (await transport.ask<{ log: string }>(at(name, "/log"))).log,
    appRename: (name, to) => transport.ask(at(name, "/rename"), post({ to })),
    appRemove: (name, withData) => transport.ask(at(name, `?data=${withData}`), { method: "DELETE" }),
    appLink: (name, person) => transport.ask(at(name, "/link"), post({ person })),
    appShare: (name, person, shared) =>
      transport.ask(at(name, `/persons/${part(person)}`), { method: shared ? "PUT" : "DELETE" }),
    appShortcut: (name, keys) =>
      transport.ask(
        at(name, "/shortcut"),
        keys === null ? { method: "DELETE" } : { method: "PUT", json: { keys } },
      ),
  } satisfies Partial<AppOperations>;
}

/** Persons and what they were told. */
export function peopleClient(transport: Transport) {
  return {
    persons: () => transport.ask("persons"),
    personAdd: ({ name, displayName, desktop }) =>
      transport.ask(
        "persons",
        post({ name, ...(displayName !== null && { displayName }), ...(desktop !== null && { desktop }) }),
      ),
    personRemove: (name) => transport.ask(`persons/${part(name)}`, { method: "DELETE" }),
    inbox: (person, unreadOnly) => transport.ask(`persons/${part(person)}/inbox?unread=${unreadOnly}`),
    inboxRead: (person, ids) => transport.ask(`persons/${part(person)}/inbox/read`, post({ ids: [...ids] })),
    inboxUnread: (person, ids) =>
      transport.ask(`persons/${part(person)}/inbox/unread`, post({ ids: [...ids] })),
  } satisfies Partial<AppOperations>;
}
