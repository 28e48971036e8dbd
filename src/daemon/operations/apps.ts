import { HandlerError, newId, utf8Text } from "../../base/mod.ts";
import type {
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
  needTexts,
  OWNER,
  readManifest,
  type RollbackPlan,
} from "../../apps/mod.ts";
import { ensureFolder, folderBytes, packFolder, removeAll, unpackFolder } from "../../platform/mod.ts";
import type { Parts } from "../assemble.ts";
import { problemsOf } from "./problem.ts";
import { toReference } from "./reference.ts";

/** The operations on apps that this file makes; persons and inbox have their own. */
export type AppsAlone = Omit<
  AppOperations,
  "persons" | "personAdd" | "personRemove" | "inbox" | "inboxRead" | "appLink" | "appShare" | "appShortcut"
>;

/** Mini apps: what there is, deploys and their undoing. */
export function appOperations(parts: Parts): AppsAlone {
  const { apps } = parts;
  const view = (name: string) => appView(parts, apps.registry.get(name));
  return {
    apps: () => Promise.all(apps.registry.all().map((app) => appView(parts, app))),
    app: (name) => view(name),
    appAdd: async (folder) => await appView(parts, await apps.add(folder)),
    async appCheck(folder) {
      return (await apps.check(folder)).flatMap(problemsOf);
    },
    appPlan: (name) => plan(parts, name),
    appDeploy: (name, hash, onStep) => deploy(parts, name, hash, onStep),
    async appRollbackPlan(name) {
      const { from, to, lost } = await apps.planRollback(name);
      return {
        app: name,
        from: versionText(from),
        to: versionText(to),
        lostRows: Object.entries(lost).map(([table, rows]) => ({ table, rows })),
      };
    },
    async appRollback(name) {
      await apps.rollback(name);
      return await view(name);
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
    appBackup: (name, file) => apps.backup(name, file),
    async appRestore(name, file) {
      await apps.restore(name, file);
    },
    appExport: (name, file) => exportApp(parts, name, file),
    appImport: (file) => importApp(parts, file),
    appStop: (name) => apps.stop(name),
    appLog: (name) => Promise.resolve(parts.secrets.redact(utf8Text(apps.log(name)))),
    appRename: async (name, to) => await appView(parts, await apps.rename(name, to)),
    appRemove: (name, withData) => apps.remove(name, withData),
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
    version: version?.manifest.version ?? null,
    deployedAt: version?.deployedAt ?? null,
    ready: source && source.version !== version?.manifest.version ? source.version : null,
    persons: [OWNER, ...app.settings.persons],
    shortcut: app.settings.shortcut ?? null,
    dataBytes: await folderBytes(appPlaces(folders, app.name).data),
  };
}

async function plan({ apps }: Parts, name: string): Promise<DeployPlan> {
  const app = apps.registry.get(name);
  const problems = (await apps.check(app.source)).flatMap(problemsOf);
  const { manifest, hash, newNeeds, unsettled } = await apps.plan(name);
  const needs = { all: needTexts(manifest), memoryBytes: manifest.resources.memoryBytes };
  return { app: name, version: manifest.version, hash, needs, newNeeds, unsettled, problems };
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
  return await Promise.all(app.versions.map(async ({ number, manifest, deployedAt, backup }, index) => ({
    number,
    version: manifest.version,
    deployedAt,
    installed: index === 0,
    backupBytes: backup ? await folderBytes(backup) : null,
  })));
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
