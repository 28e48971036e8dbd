import { concatBytes, errorText, HandlerError, type Logger, systemClock } from "../base/mod.ts";
import { type ConfigurationHolder, OWNER } from "../config/mod.ts";
import type { Inbox } from "../inbox/mod.ts";
import { type Folders, openInside, readText, readTextIfThere, removeAll } from "../platform/mod.ts";
import type { Sandboxes } from "../sandbox/mod.ts";
import type { Services } from "../services/mod.ts";
import { openThreadStore, type ThreadStore } from "../store/mod.ts";
import {
  createThreadHosts,
  projectTypes,
  SPIN_CPU_MS,
  Threads,
  type ThreadSettings,
  type ThreadsPorts,
} from "../threads/mod.ts";
import type { DefinitionSet } from "../wire/mod.ts";
import { askedForDeno } from "./asked_for_deno.ts";
import { homeFiles } from "./home.ts";
import type { Shipped } from "./shipped.ts";
import { threadServices } from "./thread_services.ts";

/** Threads and what their outside needs besides. */
export interface ThreadParts {
  readonly threads: Threads;
  readonly threadStore: ThreadStore;
  /** @throws {HandlerError} `not_found` */
  readThreadFile(thread: string, path: string): Promise<Uint8Array>;
  /** The type files of a project whose definitions these are, and what a person must add by hand. */
  threadTypes(project: string, definitions: DefinitionSet): Promise<ReturnType<typeof projectTypes>>;
  /** Removes what the hosts of a dead daemon left, marks turns as interrupted, goes on with what waits. */
  recoverThreads(): Promise<void>;
  closeThreads(): Promise<void>;
  /** Aborted when the daemon stops: watches have no end of their own, and nobody should wait for them. */
  readonly watching: AbortController;
}

/** What {@linkcode loadThreads} builds them from. */
export interface ThreadsFrom {
  readonly folders: Folders;
  readonly log: Logger;
  readonly configuration: ConfigurationHolder;
  readonly shipped: Shipped;
  readonly sandboxes: Sandboxes;
  readonly services: Services;
  readonly inbox: Inbox;
}

/** The threads of all projects: their store, the hosts of their code, services as their projects chose them. */
export async function loadThreads(from: ThreadsFrom): Promise<ThreadParts> {
  const { folders, log, configuration, services } = from;
  const clock = systemClock;
  const files = homeFiles(folders);
  const now = () => configuration.current();
  const store = await openThreadStore({ path: files.threads, clock, log });
  const hosts = createThreadHosts(hostPorts(from));
  const filesFolder = files.threadFiles;
  const called = threadServices({ services, filesFolder, configuration: now });
  const ports: ThreadsPorts = {
    ...{ clock, log, store, hosts, services: called, filesFolder },
    settings: () => settingsOf(now().main.threads),
    isProject: (name) => now().projects.has(name),
    accountEnv: (person) => now().persons.get(person ?? OWNER)?.env ?? {},
    instanceEnv: (project) => now().projects.get(project)?.env ?? {},
    notify: (person, title, text, thread) => tell(from, store, person ?? OWNER, { title, text, thread }),
  };
  const threads = new Threads(ports);
  return {
    threads,
    threadStore: store,
    watching: new AbortController(),
    readThreadFile: (thread, path) => readFile(store, filesFolder, thread, path),
    threadTypes: (project, definitions) => typesOf(from, project, definitions),
    async recoverThreads() {
      await removeAll(`${folders.runtime}/t`);
      await threads.start();
    },
    async closeThreads() {
      await threads.close();
      await hosts.close();
      called.close();
      store.close();
    },
  };
}

function hostPorts(
  { folders, log, configuration, sandboxes }: ThreadsFrom,
): Parameters<typeof createThreadHosts>[0] {
  const now = () => configuration.current();
  return {
    clock: systemClock,
    log,
    runtimeFolder: `${folders.runtime}/t`,
    stateFolder: homeFiles(folders).threadHosts,
    async startSandbox(spec) {
      const driver = await sandboxes.chosen();
      const project = spec.labels.project ?? spec.name;
      if (driver.name === "deno") {
        askedForDeno({ kind: "project", name: project, shipped: false }, now().main);
      }
      return await driver.start(spec);
    },
    projectFolder: (project) => now().projects.get(project)?.path,
    idleMs: () => now().main.threads.idleSeconds * 1000,
    spinCpuMs: SPIN_CPU_MS,
  };
}

function settingsOf(
  { turnLimitSeconds, idleSeconds, pingPongTurns, projectTurns, allTurns, envOrder }: ReturnType<
    ConfigurationHolder["current"]
  >["main"]["threads"],
): ThreadSettings {
  const [turnLimitMs, idleMs] = [turnLimitSeconds * 1000, idleSeconds * 1000];
  return { turnLimitMs, idleMs, pingPongTurns, projectTurns, allTurns, envOrder };
}

/** Puts into the inbox that a thread waits; once, until the person has read it. */
function tell(
  { inbox, log }: ThreadsFrom,
  store: ThreadStore,
  person: string,
  { title, text, thread }: { readonly title: string; readonly text: string; readonly thread: string },
): void {
  const link = `/threads/${thread}`;
  try {
    if (!saidSomething(store, thread)) return;
    if (inbox.list(person, true).some((message) => message.link === link)) return;
    const project = store.thread(thread)?.project ?? "threads";
    const how = `answer with: handler thread answer ${thread}`;
    inbox.put({ person, source: `project:${project}`, title, text: `${text}\n${how}`, link });
  } catch (error) {
    log.log("warn", `nobody was told that the thread ${thread} waits: ${errorText(error)}`);
  }
}

/**
 * Whether the last word is the thread's own, so that there is something to answer. For a child its parent answers, not a
 * person, unless the parent's turn waits for it.
 */
function saidSomething(store: ThreadStore, thread: string): boolean {
  const last = store.lastMessage(thread);
  const link = store.thread(thread)?.link;
  if (!last || (link && !link.blocking)) return false;
  return last.turn !== null || (last.metadata ?? "").includes('"scheduledEffect"');
}

async function readFile(
  store: ThreadStore,
  folder: string,
  thread: string,
  path: string,
): Promise<Uint8Array> {
  const row = store.file(thread, path);
  if (!row || row.isDirectory) {
    throw new HandlerError("not_found", `the thread has no file ${JSON.stringify(path)}`);
  }
  await using file = await openInside(`${folder}/${thread}`, row.path.slice(1));
  return concatBytes(await Array.fromAsync(file.chunks()));
}

/** A project's own configuration of Deno. */
const DENO_FILES = ["deno.json", "deno.jsonc"];

async function typesOf({ configuration, shipped }: ThreadsFrom, project: string, definitions: DefinitionSet) {
  const folder = configuration.current().projects.get(project)?.path ?? "";
  const found = await Promise.all(
    DENO_FILES.map(async (name) => ({ name, text: await readTextIfThere(`${folder}/${name}`) })),
  );
  const denoJson = found.find((one): one is { name: string; text: string } => one.text !== undefined);
  return projectTypes({ definitions, spec: await readText(`${shipped.guest}/spec.ts`), denoJson });
}
