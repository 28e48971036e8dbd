/**
 * The model server of the demo: one that a person names, else a small real model where it has been fetched with
 * `deno task model`.
 * @module
 */
import { errorText, isObject } from "../src/base/mod.ts";
import { endGroup, env, findDeno, homeFolder, start, statIfThere } from "../src/platform/mod.ts";

/** A server that speaks OpenAI's chat completions protocol, as `llm-openai`'s settings take it. */
export interface ModelServer {
  /** `http://127.0.0.1:8080/v1` */
  readonly endpoint: string;
  readonly model: string;
}

/** One that was started here. */
export interface StartedModelServer extends ModelServer {
  close(): Promise<void>;
}

/** The small model's name. */
export const SMALL_MODEL = "SmolLM2-135M-Instruct";

/**
 * Files of the small model in {@linkcode modelFolder}, as `deno task model` makes them. A server that an older one cannot
 * stand in for has another number.
 */
export const MODEL_FILES = { model: "model.gguf", wasm: "wllama.wasm", server: "server-2.js" } as const;

/** How long the small model may take to load. */
const READY_MS = 60_000;
const PROBE_MS = 3_000;

/** Where the small model lies once it has been fetched: a folder of the person's cache. */
export function modelFolder(): string {
  const base = env("XDG_CACHE_HOME");
  return `${base?.startsWith("/") ? base : `${homeFolder()}/.cache`}/handler-ai/smollm2-135m`;
}

/**
 * The server that HANDLER_MODEL_ENDPOINT names (HANDLER_MODEL says which of its models, else its first), where it
 * answers; undefined where none is named or it does not.
 */
export async function findModelServer(): Promise<ModelServer | undefined> {
  const endpoint = env("HANDLER_MODEL_ENDPOINT")?.replace(/\/+$/, "");
  if (!endpoint) return undefined;
  try {
    const response = await fetch(`${endpoint}/models`, { signal: AbortSignal.timeout(PROBE_MS) });
    const list: unknown = await response.json();
    const [first]: unknown[] = isObject(list) && Array.isArray(list["data"]) ? list["data"] : [];
    const model = env("HANDLER_MODEL") ?? (isObject(first) ? first["id"] : undefined);
    return typeof model === "string" ? { endpoint, model } : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the small model on a free loopback port; undefined where it was not fetched, or no Deno can run it. */
export async function startSmallModel(): Promise<StartedModelServer | undefined> {
  const folder = modelFolder();
  const files = Object.values(MODEL_FILES).map((name) => statIfThere(`${folder}/${name}`));
  const deno = await findDeno();
  if (!deno || !(await Promise.all(files)).every((info) => info?.isFile)) return undefined;
  const child = start(serverCommand(deno, folder), { inheritEnv: true, stdin: "piped", stderr: "null" });
  try {
    const port = await readPort(child.stdout);
    return { endpoint: `http://127.0.0.1:${port}/v1`, model: SMALL_MODEL, close: () => end(child) };
  } catch (error) {
    await end(child);
    throw new Error(`the small model did not start: ${errorText(error)}`, { cause: error });
  }
}

/** Nothing but its own folder to read, and a loopback port. */
function serverCommand(deno: string, folder: string): string[] {
  const { model, wasm, server } = MODEL_FILES;
  return [
    deno,
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-remote",
    "--cached-only",
    "--allow-net=127.0.0.1",
    `--allow-read=${folder}`,
    `${folder}/${server}`,
    `${folder}/${model}`,
    `${folder}/${wasm}`,
    SMALL_MODEL,
  ];
}

/** The first line of its output; the stream is left open for as long as the server runs. */
async function readPort(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const reader = stdout.getReader();
  const late = setTimeout(() => reader.cancel(), READY_MS);
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("it ended, or took too long to load");
      text += decoder.decode(value, { stream: true });
    }
    return JSON.parse(text).port;
  } finally {
    clearTimeout(late);
    reader.releaseLock();
  }
}

async function end(child: ReturnType<typeof start>): Promise<void> {
  endGroup(child.pid, "SIGKILL");
  await Promise.allSettled([child.stdin.close(), child.stdout.cancel(), child.status]);
}
