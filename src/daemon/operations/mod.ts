import type { Operations } from "../../api/mod.ts";
import { homeFolder } from "../../platform/mod.ts";
import type { Parts } from "../assemble.ts";
import { appOperations } from "./apps.ts";
import { catalogOperations } from "./catalog.ts";
import { configurationOperations } from "./configuration.ts";
import { daemonOperations } from "./daemon.ts";
import { deskOperations } from "./desk.ts";
import { deskLinkOperation } from "./desk_link.ts";
import { peopleOperations } from "./people.ts";
import { safetyOperations } from "./safety.ts";
import { threadOperations } from "./threads.ts";
import { welcomeOperations } from "./welcome.ts";
import { workOperations } from "./work.ts";

/** Everything that the daemon does for its owner, over its parts. */
export function createOperations(parts: Parts, stop: () => void): Operations {
  const operations = {
    ...daemonOperations(parts, stop),
    ...configurationOperations(parts),
    ...catalogOperations(parts),
    ...safetyOperations(parts),
    ...workOperations(parts),
    ...appOperations(parts),
    ...deskOperations(parts),
    ...deskLinkOperation(parts),
    ...peopleOperations(parts),
    ...threadOperations(parts),
  };
  return { ...operations, ...welcomeOperations({ operations, folder: `${homeFolder()}/Handler` }) };
}
