import type { DeskOperations } from "../api/mod.ts";
import type { Transport } from "./transport.ts";

/** The way to the desk. */
export function deskLinkClient(transport: Transport) {
  return {
    deskLink: () => transport.ask("desk/link", { method: "POST" }),
  } satisfies Pick<DeskOperations, "deskLink">;
}
