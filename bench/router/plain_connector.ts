import { connectUnix, ensureFolder, isAlive } from "../../src/platform/mod.ts";
import { launch, type Running } from "../measure/program.ts";
import { Caller } from "./caller.ts";

/** A connector as a plain process: no sandbox, no router. */
export interface PlainConnector extends AsyncDisposable {
  readonly caller: Caller;
  /** Where it looks for files that are handed in. */
  readonly filesIn: string;
}

/** Starts a connector's program with the arguments of `deno run` and shakes hands with it. */
export async function startPlain(folder: string, args: readonly string[]): Promise<PlainConnector> {
  for (const name of ["in", "out"]) await ensureFolder(`${folder}/files/${name}`);
  const socket = `${folder}/c.sock`;
  const running = await launch([Deno.execPath(), "run", "-A", ...args], undefined, {
    inheritEnv: true,
    env: { HANDLER_CONNECTOR_SOCKET: socket, HANDLER_CONNECTOR_FILES: `${folder}/files` },
  });
  const caller = new Caller(await connected(socket, running));
  await caller.hello();
  return {
    caller,
    filesIn: `${folder}/files/in`,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function connected(path: string, { pid }: Running): Promise<Deno.Conn> {
  for (let tries = 0; tries < 10_000 && isAlive(pid); tries++) {
    try {
      return await connectUnix(path);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  throw new Error(`process ${pid} did not listen on ${path}`);
}
