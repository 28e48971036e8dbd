import type { DeskOperations } from "../desk_ports.ts";
import { data, type Route } from "../route.ts";

/** The way to the desk. */
export function deskLinkRoutes(operations: Pick<DeskOperations, "deskLink">): readonly Route[] {
  return [
    { method: "POST", path: "/v1/desk/link", handle: async () => data(await operations.deskLink()) },
  ];
}
