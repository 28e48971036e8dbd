import { readBody } from "../body.ts";
import type { AppOperations, DeployStep } from "../app_ports.ts";
import { Query } from "../query.ts";
import { data, done, made, parameter, type Route } from "../route.ts";
import { progressStream } from "../streams.ts";
import { absolutePath, list, map, optional, record, required, text } from "../../schema/mod.ts";

const newBody = record({ name: required(text()), folder: required(absolutePath()) });
const folderBody = record({ folder: required(absolutePath()) });
const fileBody = record({ file: required(absolutePath()) });
const hashBody = record({
  hash: required(text({ pattern: { rule: "64 digits of lower-case hexadecimal", test: /^[0-9a-f]{64}$/ } })),
});
const settleBody = record({
  secrets: optional(map(text(), text()), {}),
  files: optional(map(text(), absolutePath()), {}),
  services: optional(map(text(), list(text(), { unique: true })), {}),
});
const restoreBody = record({ from: required(text()) });
const renameBody = record({ to: required(text()) });
const linkBody = record({ person: required(text()) });
const shortcutBody = record({ keys: required(text({ max: 100 })) });

/** Mini apps: what there is, deploys and their undoing, data, and who may use them. */
export function appRoutes(operations: AppOperations): readonly Route[] {
  return [
    ...sourceRoutes(operations),
    ...versionRoutes(operations),
    ...dataRoutes(operations),
    ...lifeRoutes(operations),
    ...deskRoutes(operations),
  ];
}

function sourceRoutes(operations: AppOperations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/apps", handle: async () => data(await operations.apps()) },
    {
      method: "POST",
      path: "/v1/apps",
      async handle(c) {
        const app = await operations.appAdd((await readBody(c.req.raw, folderBody)).folder);
        return made(app, `/v1/apps/${app.name}`);
      },
    },
    {
      method: "POST",
      path: "/v1/apps/new",
      async handle(c) {
        const { name, folder } = await readBody(c.req.raw, newBody);
        return data(await operations.appNew(name, folder));
      },
    },
    {
      method: "POST",
      path: "/v1/apps/check",
      async handle(c) {
        const { folder } = await readBody(c.req.raw, folderBody);
        return progressStream((line) => operations.appCheck(folder, line));
      },
    },
    {
      method: "POST",
      path: "/v1/apps/import",
      async handle(c) {
        const app = await operations.appImport((await readBody(c.req.raw, fileBody)).file);
        return made(app, `/v1/apps/${app.name}`);
      },
    },
    {
      method: "GET",
      path: "/v1/apps/:name",
      handle: async (c) => data(await operations.app(parameter(c, "name"))),
    },
  ];
}

function versionRoutes(operations: AppOperations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/apps/:name/plan",
      handle: async (c) => data(await operations.appPlan(parameter(c, "name"))),
    },
    {
      method: "POST",
      path: "/v1/apps/:name/deploy",
      async handle(c) {
        const { hash } = await readBody(c.req.raw, hashBody);
        const name = parameter(c, "name");
        return progressStream<DeployStep>((step) => operations.appDeploy(name, hash, step));
      },
    },
    {
      method: "GET",
      path: "/v1/apps/:name/versions",
      handle: async (c) => data(await operations.appVersions(parameter(c, "name"))),
    },
    {
      method: "GET",
      path: "/v1/apps/:name/rollback",
      handle: async (c) => data(await operations.appRollbackPlan(parameter(c, "name"))),
    },
    {
      method: "POST",
      path: "/v1/apps/:name/rollback",
      handle: async (c) => data(await operations.appRollback(parameter(c, "name"))),
    },
    {
      method: "PUT",
      path: "/v1/apps/:name/settings",
      async handle(c) {
        return data(await operations.appSettle(parameter(c, "name"), await readBody(c.req.raw, settleBody)));
      },
    },
  ];
}

function dataRoutes(operations: AppOperations): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/apps/:name/backups",
      handle: async (c) => data(await operations.appBackups(parameter(c, "name"))),
    },
    {
      method: "POST",
      path: "/v1/apps/:name/backup",
      async handle(c) {
        const { folder } = await readBody(c.req.raw, folderBody);
        await operations.appBackup(parameter(c, "name"), folder);
        return done();
      },
    },
    {
      method: "POST",
      path: "/v1/apps/:name/restore",
      async handle(c) {
        const { from } = await readBody(c.req.raw, restoreBody);
        return data(await operations.appRestore(parameter(c, "name"), from));
      },
    },
    {
      method: "POST",
      path: "/v1/apps/:name/export",
      async handle(c) {
        const { file } = await readBody(c.req.raw, fileBody);
        await operations.appExport(parameter(c, "name"), file);
        return done();
      },
    },
  ];
}

function lifeRoutes(operations: AppOperations): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/apps/:name/stop",
      async handle(c) {
        await operations.appStop(parameter(c, "name"));
        return done();
      },
    },
    {
      method: "GET",
      path: "/v1/apps/:name/log",
      handle: async (c) => data({ log: await operations.appLog(parameter(c, "name")) }),
    },
    {
      method: "POST",
      path: "/v1/apps/:name/rename",
      async handle(c) {
        return data(
          await operations.appRename(parameter(c, "name"), (await readBody(c.req.raw, renameBody)).to),
        );
      },
    },
    {
      method: "DELETE",
      path: "/v1/apps/:name",
      async handle(c) {
        await operations.appRemove(parameter(c, "name"), new Query(c.req.url, ["data"]).flag("data"));
        return done();
      },
    },
  ];
}

/** What the person at the desk settles: windows, persons, the shortcut. */
function deskRoutes(operations: AppOperations): readonly Route[] {
  const share = (method: "PUT" | "DELETE"): Route => ({
    method,
    path: "/v1/apps/:name/persons/:person",
    handle: async (c) =>
      data(await operations.appShare(parameter(c, "name"), parameter(c, "person"), method === "PUT")),
  });
  return [
    {
      method: "POST",
      path: "/v1/apps/:name/link",
      async handle(c) {
        const { person } = await readBody(c.req.raw, linkBody);
        return data(await operations.appLink(parameter(c, "name"), person));
      },
    },
    share("PUT"),
    share("DELETE"),
    {
      method: "PUT",
      path: "/v1/apps/:name/shortcut",
      async handle(c) {
        const { keys } = await readBody(c.req.raw, shortcutBody);
        return data(await operations.appShortcut(parameter(c, "name"), keys));
      },
    },
    {
      method: "DELETE",
      path: "/v1/apps/:name/shortcut",
      handle: async (c) => data(await operations.appShortcut(parameter(c, "name"), null)),
    },
  ];
}
