import type { App, OpenApp } from "./handler_app.d.ts";
import { appSocket, dataFolder } from "./environment.ts";
import { openApp } from "./open_app.ts";
import { endStreams } from "./events.ts";

/** How long requests under way may take after SIGTERM, in milliseconds. */
const GRACE_MS = 8000;

/** Runs an app where Handler's variables say, until SIGTERM or SIGINT. */
export async function serve(app: App): Promise<void> {
  const socket = appSocket(), data = dataFolder();
  // both are there where Handler starts an app
  for (const folder of [data, socket.replace(/\/[^/]*$/, "")]) Deno.mkdirSync(folder, { recursive: true });
  const open = await openOrEnd(app, data);
  const server = Deno.serve(
    { path: socket, onListen() {}, onError: failed },
    (request) => open.fetch(request),
  );
  const stop = async () => {
    endStreams();
    await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
    open[Symbol.dispose]();
    Deno.exit(0);
  };
  // the first process of a container is not ended by a signal that it does not listen to
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, stop);
  await server.finished;
}

async function openOrEnd(app: App, data: string): Promise<OpenApp> {
  try {
    return await openApp(app, { data });
  } catch (error) {
    console.error(`the app cannot start: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}

function failed(error: unknown): Response {
  console.error(error);
  return new Response("the app failed", { status: 500 });
}
