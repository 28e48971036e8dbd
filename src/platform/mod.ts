/**
 * The only place that says `Deno.` or `node:`: environment, folders, files, sockets, processes, SQLite.
 * @module
 */
export * from "./bounded.ts";
export * from "./append_file.ts";
export * from "./begins_with.ts";
export * from "./carried.ts";
export * from "./checked_copy.ts";
export * from "./connections.ts";
export * from "./desktop.ts";
export * from "./env.ts";
export * from "./file_stream.ts";
export * from "./files.ts";
export * from "./folder_mark.ts";
export * from "./gvariant.ts";
export * from "./http.ts";
export * from "./http_client.ts";
export * from "./http_front.ts";
export * from "./lock.ts";
export * from "./machine.ts";
export * from "./pack.ts";
export * from "./pack_folder.ts";
export * from "./notify.ts";
export * from "./passed_sockets.ts";
export * from "./paths.ts";
export * from "./pinned_socket.ts";
export * from "./proc.ts";
export * from "./process.ts";
export * from "./program_file.ts";
export type { RawHeader } from "./raw_headers.ts";
export * from "./request_unix.ts";
export * from "./runtime.ts";
export * from "./same_content.ts";
export * from "./scoped.ts";
export * from "./scoped_write.ts";
export * from "./socket.ts";
export * from "./spool.ts";
export * from "./sqlite.ts";
export * from "./stage.ts";
export * from "./terminal.ts";
export * from "./tree_copy.ts";
export * from "./trim_file.ts";
export * from "./url.ts";
