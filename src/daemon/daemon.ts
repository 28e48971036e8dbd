import { apiForPage, createApi, type Operations, serveApi } from "../api/mod.ts";
import { errorText, HANDLER_VERSION, systemClock, within } from "../base/mod.ts";
import { type Folders, notifyReady, privateUmask, takeLock } from "../platform/mod.ts";
import { watchSources } from "./app_sources.ts";
import { assemble, type Overrides, type Parts } from "./assemble.ts";
import { checkSocketRoom, homeFiles, makeHome } from "./home.ts";
import { openLog } from "./log.ts";
import { createOperations } from "./operations/mod.ts";

/** How a daemon is started. */
export interface DaemonOptions extends Overrides {
  readonly folders: Folders;
  readonly verbose: boolean;
  /** Whether stderr stays free of the log; its file gets it all the same. */
  readonly quiet: boolean;
  /** Where to listen in place of the home's own socket, behind a proxy of the service manager; undefined for that. */
  readonly socket: string | undefined;
}

/** A running daemon. */
export interface Daemon {
  /** The unix socket of its API. */
  readonly socket: string;
  readonly operations: Operations;
  /** Milliseconds from the call of {@linkcode startDaemon} until it was ready. */
  readonly readyMs: number;
  /** Resolves once it has stopped, by whatever way. */
  readonly stopped: Promise<void>;
  /** Stops in the reverse order of the start, under one deadline. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 15_000;
const PRUNE_EVERY_MS = 6 * 3600 * 1000;

/**
 * Starts the daemon (architecture, life cycle): private umask, folders, single-instance lock, log, configuration, store,
 * what a dead daemon left, sockets, ready. Whatever fails early says why and leaves nothing running.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const began = performance.now();
  privateUmask();
  await makeHome(options.folders);
  const files = homeFiles(options.folders);
  const cleanup = new AsyncDisposableStack();
  try {
    cleanup.use(await takeLock(files.lock));
    const daemonLog = cleanup.use(
      openLog({ file: files.log, verbose: options.verbose, quiet: options.quiet }),
    );
    const { log } = daemonLog;
    const parts = cleanup.use(await assemble(options.folders, daemonLog, options));
    const interfaces = [...parts.services.catalog.interfaces.values()].map(({ name }) => name);
    checkSocketRoom(options.folders, interfaces, parts.configuration.current().bindings.keys());
    await recover(parts);
    const stopped = Promise.withResolvers<void>();
    const stop = once(async () => {
      log.log("info", "stopping");
      notifyReady("STOPPING=1");
      await within(STOP_LIMIT_MS, "stopping", cleanup.disposeAsync())
        .catch((error) => log.log("error", errorText(error)));
      stopped.resolve();
    });
    const operations = createOperations(parts, () => void stop());
    const api = createApi({ operations, log, clock: systemClock });
    const socket = options.socket ?? files.socket;
    const server = await serveApi(api, socket);
    cleanup.defer(() => server.stop(2_000));
    cleanup.defer(() => parts.watching.abort());
    await parts.origins.open(apiForPage(api));
    cleanup.defer(keepTidy(parts));
    cleanup.defer(watchSources({ ...parts, apps: () => parts.apps.registry.all() }));
    const readyMs = Math.round(performance.now() - began);
    log.log("info", `handlerd ${HANDLER_VERSION} is ready`, { socket, ms: readyMs });
    notifyReady("READY=1");
    return { socket, operations, readyMs, stopped: stopped.promise, stop };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

/** Removes what a dead daemon left, takes over the sessions that went on without one. */
async function recover(parts: Parts): Promise<void> {
  const removed = await parts.sandboxes.reap(parts.agents.handlesToKeep());
  await parts.services.reap();
  await parts.trials.reap();
  const resumed = await parts.agents.resume();
  for (const what of await parts.apps.recover()) parts.log.log("info", what);
  await parts.recoverThreads();
  if (removed > 0 || resumed > 0) parts.log.log("info", "after an earlier daemon", { removed, resumed });
}

/** Old records go now and then; returns what stops it. */
function keepTidy(parts: Parts): () => void {
  const prune = async () => {
    const { keepDays } = parts.configuration.current().main.records;
    await parts.store.prune(keepDays);
    await parts.agents.prune(keepDays);
  };
  const tidy = () => void prune().catch((error) => parts.log.log("warn", `pruning: ${errorText(error)}`));
  const first = setTimeout(tidy, 60_000);
  const every = setInterval(tidy, PRUNE_EVERY_MS);
  return () => {
    clearTimeout(first);
    clearInterval(every);
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => running ??= work();
}
