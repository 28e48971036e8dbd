/**
 * The thread host: loads a project's definitions and runs their functions for the daemon, which connects to the socket
 * that HANDLER_THREADS_SOCKET names. HANDLER_THREADS_AGENTS is the folder of the definitions.
 */
import { type FromHost, JsonLines, type ToHost } from "../../wire/mod.ts";
import { loadDefinitions } from "./definitions/mod.ts";
import { fileUrl } from "./file_url.ts";
import { Host } from "./host.ts";
import { openOutlet } from "./outlet.ts";

/** The longest message from the daemon, in bytes; a file's content travels in one. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

const QUIET_MS = 250;
/** A daemon connects within its own limit of 30 s; one that has died in between never does. */
const ALONE_MS = 60_000;

const exit = Deno.exit;

const listener = Deno.listen({ transport: "unix", path: required("HANDLER_THREADS_SOCKET") });
const folder = required("HANDLER_THREADS_AGENTS").replace(/\/[^/]*$/, "");
const outlet = openOutlet();
// the first process of a container is not ended by a signal that it does not listen to
Deno.addSignalListener("SIGTERM", () => exit(0));
Deno.exit = () => {
  throw new Error("a definition does not end the process that all of the project's threads run in");
};

const alone = setTimeout(() => exit(0), ALONE_MS);
const connection = await listener.accept(); // the definitions are whole from then on
clearTimeout(alone);
listener.close();
const lines = new JsonLines(connection, MAX_MESSAGE_BYTES, () => exit(0));
const loaded = await loadDefinitions({ folder, importModule: (path) => import(fileUrl(path)) });
const send = (message: FromHost) => lines.send(message);
const flushed = () => lines.flushed();
const host = new Host({ loaded, folder, send, flushed, within: outlet.within });
send({ t: "ready", definitions: loaded.set, problems: loaded.problems });
setTimeout(() => outlet.knowThreads(), QUIET_MS); // the first turn comes before that
await lines.receive((message) => host.take(message as ToHost));
exit(0);

function required(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
