import type { DeskOperations } from "../../api/mod.ts";
import type { Parts } from "../assemble.ts";

/** The way to the desk for who reaches the control socket. */
export function deskLinkOperation({ origins }: Parts): Pick<DeskOperations, "deskLink"> {
  return { deskLink: async () => ({ url: await origins.deskLink() }) };
}
