import { isAbsolute } from "node:path";
import { HandlerError, newId, utf8Text } from "../../base/mod.ts";
import type {
  AppBackupView,
  AppOperations,
  AppVersionView,
  AppView,
  DeployPlan,
  DeployReport,
  DeployStep,
} from "../../api/mod.ts";
import {
  type App,
  appPlaces,
  installed,
  type Need,
  needTexts,
  newApp,
  readManifest,
  type RollbackPlan,
} from "../../apps/mod.ts";
import { OWNER } from "../../config/mod.ts";
import {
  ensureFolder,
  folderBytes,
  listFolder,
  packFolder,
  removeAll,
  statIfThere,
  unpackFolder,
} from "../../platform/mod.ts";
import type { Parts } from "../assemble.ts";
import { moveShortcut, type WindowOperations } from "./desk.ts";
import type { PeopleOperations } from "./people.ts";
import { problemsOf } from "./problem.ts";
import { referenceText, toReference } from "./reference.ts";

/** The operations on apps that this file makes; the desk, persons and inboxes have their own. */
export type AppsAlone = Omit<AppOperations, keyof WindowOperations | keyof PeopleOperations>;

/** Mini apps: what there is, deploys and their undoing. */
export function appOperations(parts: Parts): AppsAlone {
  const { apps } = parts;
  const view = (name: string) => appView(parts, apps.registry.get(name));
  return {
    apps: () => Promise.all(apps.registry.all().map((app) => appView(parts, app))),
    app: (name) => view(name),
    async appNew(name, folder) {
      await newApp({ template: `${parts.shipped.addons}/miniapp/template`, name, folder });
      return { folder };
    },
    appAdd: async (folder) => await appView(parts, await apps.add(folder)),
    async appCheck(folder) {
      return (await apps.check(folder)).flatMap(problemsOf);
    },
    appPlan: (name) => plan(parts, name),
    appDeploy: (name, hash, onStep) => deploy(parts, name, hash, onStep),
    async appRollbackPlan(name) {
      const { from, to, lost, uncounted } = await apps.planRollback(name);
      return {
        app: name,
        from: versionText(from),
        to: versionText(to),
        lostRows: Object.entries(lost).map(([table, rows]) => ({ table, rows })),
        uncounted: uncounted ?? null,
      };
    },
    async appRollback(name) {
      const kept = await apps.rollback(name);
      return { app: await view(name), kept };
    },
    appVersions: (name) => versions(apps.registry.get(name)),
    async appSettle(name, { secrets = {}, files = {}, services = {} }) {
      const references = Object.entries(secrets).map(([variable, text]) => {
        return [
          variable,
          toReference(variable, text, `handler app settle ${name} --secret ${variable}=store:NAME`),
        ];
      });
      await refuseUnfit(parts, name, services);
      await apps.settle(name, (now) => ({
        ...now,
        secrets: { ...now.secrets, ...Object.fromEntries(references) },
        files: { ...now.files, ...files },
        services: { ...now.services, ...services },
      }));
      return await view(name);
    },
    appBackups: (name) => backups(parts, name),
    appBackup: (name, folder) => apps.backup(name, folder),
    async appRestore(name, from) {
      const kept = await apps.restore(name, await backupFolder(parts, name, from));
      return { app: await view(name), kept };
    },
    appExport: (name, file) => exportApp(parts, name, file),
    appImport: (file) => importApp(parts, file),
    appStop: (name) => apps.stop(name),
    appLog: (name) => Promise.resolve(parts.secrets.redact(utf8Text(apps.log(name)))),
    async appRename(name, to) {
      const before = apps.registry.get(name);
      const after = await apps.rename(name, to);
      await moveShortcut(parts, before, to);
      return await appView(parts, after);
    },
    async appRemove(name, withData) {
      const before = apps.registry.get(name);
      await apps.remove(name, withData);
      await moveShortcut(parts, before, undefined);
    },
  };
}

/** An app as a person sees it. */
export async function appView(parts: Parts, app: App): Promise<AppView> {
  const { apps, folders } = parts;
  const version = installed(app);
  const source = await readManifest(app.source).catch(() => undefined);
  const state = version ? apps.state(app.name) : "not deployed";
  return {
    name: app.name,
    description: version?.manifest.description ?? source?.description ?? "",
    source: app.source,
    url: `http://${app.name}.localhost:${parts.origins.port}/`,
    state,
    failure: failureText(parts, app.name),
    version: version?.manifest.version ?? null,
    deployedAt: version?.deployedAt ?? null,
    ready: source && source.version !== version?.manifest.version ? source.version : null,
    persons: [OWNER, ...app.settings.persons],
    shortcut: app.settings.shortcut ?? null,
    dataBytes: await folderBytes(appPlaces(folders, app.name).data),
  };
}

function failureText({ apps, secrets }: Parts, name: string): AppView["failure"] {
  const failure = apps.failure(name);
  return failure ? { message: failure.message, log: secrets.redact(failure.hint ?? "") } : null;
}

async function plan({ apps }: Parts, name: string): Promise<DeployPlan> {
  const problems = (await apps.check(apps.registry.get(name).source)).flatMap(problemsOf);
  const { manifest, hash, needs: compared, newNeeds, unsettled } = await apps.plan(name);
  const app = apps.registry.get(name);
  const { memoryBytes } = manifest.resources;
  const before = installed(app)?.manifest;
  return {
    ...{ app: name, version: manifest.version, installed: before?.version ?? null, hash },
    needs: { all: needTexts(manifest), memoryBytes },
    asks: compared.map((need) => ({ ...need, mode: need.mode ?? null, settled: settledFor(need, app) })),
    memory: { bytes: memoryBytes, before: before?.resources.memoryBytes ?? null },
    ...{ newNeeds, unsettled, problems },
  };
}

/** What the person has chosen for a need. */
function settledFor({ kind, name }: Need, { settings }: App): readonly string[] {
  const one = <T>(value: T | undefined) => value === undefined ? [] : [value];
  switch (kind) {
    case "secret":
      return one(settings.secrets[name]).map(referenceText);
    case "folder":
      return one(settings.files[name]);
    case "service":
      return settings.services[name.split("/")[0]!] ?? [];
    case "egress":
    case "notify":
      return [];
  }
}

async function deploy(
  { apps, log }: Parts,
  name: string,
  hash: string,
  onStep: (step: DeployStep) => void,
): Promise<DeployReport> {
  const steps: DeployStep[] = [];
  const tell = (step: DeployStep) => {
    if (step.state !== "started") steps.push(step);
    onStep(step);
  };
  const report = (more: Pick<DeployReport, "deployed" | "version" | "rehearsal" | "log">): DeployReport => {
    return { schema: 1, app: name, steps, ...more };
  };
  try {
    const { version, rehearsal } = await apps.deploy(name, hash, tell);
    log.log("info", `the app ${name} was deployed`, { version: version.manifest.version });
    return report({ deployed: true, version: version.manifest.version, rehearsal, log: "" });
  } catch (error) {
    // what failed inside a step is the report's to tell; anything else is an error of the request
    if (!(error instanceof HandlerError) || steps.at(-1)?.state !== "failed") throw error;
    return report({
      deployed: false,
      version: "",
      rehearsal: [],
      log: steps.at(-1)?.detail ?? error.message,
    });
  }
}

function versionText({ manifest, number }: RollbackPlan["from"]): string {
  return `${manifest.version} (deployment ${number})`;
}

async function versions(app: App): Promise<readonly AppVersionView[]> {
  return await Promise.all(
    app.versions.map(async ({ number, manifest, deployedAt, folder, backup }, index) => ({
      number,
      version: manifest.version,
      deployedAt,
      installed: index === 0,
      bytes: await folderBytes(folder),
      backupBytes: backup ? await folderBytes(backup) : null,
    })),
  );
}

/** The copies of an app's data that are kept, the newest first. */
async function backups({ apps, folders }: Parts, name: string): Promise<readonly AppBackupView[]> {
  const { versions } = apps.registry.get(name);
  const places = appPlaces(folders, name);
  const found = await listFolder(places.backups);
  const views = await Promise.all(found.map(async (entry): Promise<AppBackupView> => {
    const setAside = /^kept-(\d+)$/.exec(entry.name)?.[1];
    const version = versions.find(({ number }) => String(number) === entry.name);
    const takenAt = setAside === undefined ? version?.deployedAt ?? 0 : Number(setAside);
    const why = setAside === undefined ? `before deployment ${entry.name}` : "set aside";
    return { name: entry.name, takenAt, bytes: await folderBytes(places.backup(entry.name)), why };
  }));
  return views.sort((a, b) => b.takenAt - a.takenAt);
}

/** A folder as it is given, or the folder of a backup that is kept under a name. */
async function backupFolder({ apps, folders }: Parts, name: string, from: string): Promise<string> {
  apps.registry.get(name);
  const folder = isAbsolute(from) ? from : appPlaces(folders, name).backup(from);
  const sound = isAbsolute(from) || /^[a-z0-9-]{1,40}$/.test(from);
  if (sound && (await statIfThere(folder))?.isDirectory) return folder;
  throw new HandlerError("not_found", `there is no backup ${JSON.stringify(from)} of the app ${name}`, {
    hint: `see handler app backup ${name} --list`,
  });
}

/** A provider that could not serve is refused when it is chosen. */
async function refuseUnfit(
  { apps, services }: Parts,
  name: string,
  selection: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const app = apps.registry.get(name);
  const requires = (await readManifest(app.source)).needs.services;
  const file = `${app.source}/app.toml`;
  const [problem] = await services.check({ file, requires, selection, privacy: "any" });
  if (problem) throw problem;
}

async function exportApp({ apps, folders }: Parts, name: string, file: string): Promise<void> {
  const folder = `${folders.data}/apps/.export-${newId()}`;
  try {
    await apps.exportTo(name, folder);
    await packFolder(folder, file);
  } finally {
    await removeAll(folder);
  }
}

/** An imported app gets its data and, as its source, the files of the version that was exported. */
async function importApp(parts: Parts, file: string): Promise<AppView> {
  const folder = `${parts.folders.data}/apps/.import-${newId()}`;
  try {
    await ensureFolder(folder);
    await unpackFolder(file, folder);
    return await appView(parts, await parts.apps.importFrom(folder));
  } finally {
    await removeAll(folder);
  }
}
