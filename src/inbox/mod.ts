/**
 * The inbox: what persons are told, kept in the store and shown on the desktop (contract I.9).
 * @module
 */
export { Inbox, TooMuch } from "./inbox.ts";
export type { InboxPorts, NewMessage } from "./inbox.ts";
export { sessionDesktop } from "./desktop.ts";
export type { Desktop, DesktopNotice } from "./desktop.ts";
