import type { DeskOperations, Operations } from "../../api/mod.ts";
import { HANDLER_VERSION } from "../../base/mod.ts";
import { homeFolder } from "../../platform/mod.ts";
import type { Parts } from "../assemble.ts";
import { appOperations } from "./apps.ts";
import { catalogOperations } from "./catalog.ts";
import { configurationOperations } from "./configuration.ts";
import { daemonOperations } from "./daemon.ts";
import { deskOperations } from "./desk.ts";
import { deskLinkOperation } from "./desk_link.ts";
import { folderOperation } from "./folder.ts";
import { jobOperations } from "./jobs.ts";
import { peopleOperations } from "./people.ts";
import { provenOperations } from "./proven.ts";
import { recordOperations } from "./records.ts";
import { safetyOperations } from "./safety.ts";
import { settingOperations } from "./settings.ts";
import { sightOperations } from "./sight.ts";
import { threadOperations } from "./threads.ts";
import { trialOperations } from "./trials.ts";
import { welcomeOperations } from "./welcome.ts";
import { workOperations } from "./work.ts";

/** Everything that the daemon does for its owner, over its parts. */
export function createOperations(parts: Parts, stop: () => void): Operations {
  const operations = {
    ...daemonOperations(parts, stop),
    ...configurationOperations(parts),
    ...catalogOperations(parts),
    ...provenOperations(parts),
    ...safetyOperations(parts),
    ...workOperations(parts),
    ...appOperations(parts),
    ...deskOperations(parts),
    ...deskLinkOperation(parts),
    ...peopleOperations(parts),
    ...threadOperations(parts),
    ...recordOperations(parts),
    ...trialOperations(parts),
    ...sightOperations(parts),
    ...settingOperations(parts),
    ...folderOperation(),
    ...changeOperation(parts),
  };
  const jobs = jobOperations(parts, operations);
  return {
    ...operations,
    ...jobs,
    ...welcomeOperations({ operations: { ...operations, ...jobs }, folder: `${homeFolder()}/Handler` }),
  };
}

function changeOperation({ changes, instance, watching }: Parts): Pick<DeskOperations, "changes"> {
  return {
    async *changes(signal, onHello) {
      onHello?.({ instance, version: HANDLER_VERSION });
      yield* changes.watch(AbortSignal.any([signal, watching.signal]));
    },
  };
}
