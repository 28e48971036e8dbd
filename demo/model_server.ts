/**
 * A small language model as an OpenAI chat completions server on a loopback port: llama.cpp as WebAssembly, one thread,
 * one request at a time. A program of its own (`deno task model` bundles it):
 *
 * `deno run --allow-net=127.0.0.1 --allow-read=FOLDER server-2.js FOLDER/model.gguf FOLDER/wllama.wasm NAME`
 *
 * It prints `{"port":…}` when it is ready, and ends when its stdin does.
 * @module
 */

/** What is used of the engine's answers. */
interface Chunk {
  readonly choices: readonly unknown[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly timings?: { readonly cache_n: number; readonly prompt_n: number; readonly predicted_n: number };
}

/** What is used of the engine. */
interface Engine {
  createChatCompletion(options: object): Promise<unknown>;
}

const CONTEXT_TOKENS = 2048;
const DEFAULT_MAX_TOKENS = 256;
/** What a request may say to the engine. */
const HANDED_ON = ["messages", "temperature", "top_p", "seed", "stop", "response_format"];

async function main([modelFile, wasmFile, name]: readonly string[]): Promise<void> {
  if (!modelFile || !wasmFile || !name) throw new Error("it takes three arguments: model, wasm, name");
  const engine = await load(modelFile, wasmFile);
  const turns = new Turns();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(JSON.stringify({ port })) },
    (request) => answer(request, engine, turns, name),
  );
  for await (const _ of Deno.stdin.readable);
  await server.shutdown();
  Deno.exit(0);
}

/** The engine is made for a browser's page; three things of one are put in place before it is loaded. */
async function load(modelFile: string, wasmFile: string): Promise<Engine> {
  Object.defineProperty(globalThis, "location", { value: new URL("file:///"), configurable: true });
  hideNodeFromWorkers();
  const wasm = new Blob([await Deno.readFile(wasmFile)], { type: "application/wasm" });
  const { Wllama } = await import("@wllama/wllama");
  const quiet = { debug() {}, log() {}, warn() {}, error: console.error };
  const options = { suppressNativeLog: true, logger: quiet, cacheManager: {}, modelManager: {} };
  const engine = new Wllama({ default: URL.createObjectURL(wasm) } as never, options as never);
  const limits = { n_ctx: CONTEXT_TOKENS, n_threads: 1, n_gpu_layers: 0 };
  await engine.loadModel([new Blob([await Deno.readFile(modelFile)])], limits as never);
  return engine as unknown as Engine;
}

/** Deno's workers have `process`, and the engine's would take themselves for Node's. */
function hideNodeFromWorkers(): void {
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    if (!(blob instanceof Blob) || blob.type !== "text/javascript") return make(blob);
    return make(
      new Blob(["delete globalThis.process; delete globalThis.Buffer;\n", blob], { type: blob.type }),
    );
  };
}

async function answer(request: Request, engine: Engine, turns: Turns, name: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method === "GET" && pathname === "/v1/models") {
    return Response.json({ object: "list", data: [{ id: name, object: "model" }] });
  }
  if (request.method !== "POST" || pathname !== "/v1/chat/completions") return failure(404, "unknown_url");
  const asked = await request.json().catch(() => undefined);
  if (!Array.isArray(asked?.messages)) return failure(400, "invalid_request");
  if (asked.stream !== true) return failure(400, "only_streaming");
  const stream = completion(engine, turns, asked, name);
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

/** The engine's chunks as events; a client that leaves stops the engine. */
function completion(
  engine: Engine,
  turns: Turns,
  asked: { readonly [key: string]: unknown },
  name: string,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      const send = (value: unknown) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
      await turns.take(async () => {
        if (left.signal.aborted) return;
        try {
          // its iterator leaves a rejection behind that nobody can catch, where one stops before the end
          await engine.createChatCompletion({
            ...engineOptions(asked),
            abortSignal: left.signal,
            onData: (chunk: Chunk) => {
              if (!left.signal.aborted) send({ ...chunk, model: name, ...usageOf(chunk) });
            },
          });
        } catch (error) {
          if (left.signal.aborted) return;
          console.error(error);
          send({ error: { message: "the engine failed", type: "server_error", code: null } });
        }
      });
      if (left.signal.aborted) return;
      controller.enqueue(encoder.encode("data: [DONE]\n\n"));
      controller.close();
    },
    cancel: () => left.abort(),
  });
}

function engineOptions(asked: { readonly [key: string]: unknown }): object {
  const given = HANDED_ON.filter((key) => asked[key] !== undefined).map((key) => [key, asked[key]]);
  const limit = asked["max_tokens"] ?? asked["max_completion_tokens"] ?? DEFAULT_MAX_TOKENS;
  return { ...Object.fromEntries(given), max_tokens: limit, stream: true };
}

/** The engine counts tokens in its timings. */
function usageOf({ usage, timings }: Chunk): object {
  if (usage || !timings) return {};
  const prompt_tokens = timings.cache_n + timings.prompt_n;
  return {
    usage: {
      prompt_tokens,
      completion_tokens: timings.predicted_n,
      total_tokens: prompt_tokens + timings.predicted_n,
    },
  };
}

/** The engine does one thing at a time. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  take(work: () => Promise<void>): Promise<void> {
    return this.#last = this.#last.then(work, work);
  }
}

function failure(status: number, code: string): Response {
  return Response.json({ error: { message: code, type: "invalid_request_error", param: null, code } }, {
    status,
  });
}

await main(Deno.args);
