import { HandlerError, isObject, utf8Text } from "../src/base/mod.ts";
import { type CallView, type Client, connectClient, type Status } from "../src/client/mod.ts";
import { type Daemon, startDaemon } from "../src/daemon/mod.ts";
import { findDeno, listFolder, readBytes, setEnv, walkFiles } from "../src/platform/mod.ts";
import { buildImage, imageStatus } from "../src/sandbox/mod.ts";
import { type DemoHome, VENDOR_KEY, VENDOR_KEY_VARIABLE } from "./home.ts";
import type { DemoModel } from "./model_part.ts";
import type { Story } from "./story.ts";
import type { Vendor } from "./vendor.ts";

/** What must be read from the invoice. */
const TOTAL = "1,084.85";

/** What the clerk reports of its work with OCR. */
interface Reading {
  readonly mcp: { readonly served: string; readonly text: string };
  readonly script: { readonly text: string };
  readonly secrets: readonly string[];
  readonly network: string;
  readonly hostFile: string;
}

/** Starts handlerd in the fresh home and says which sandbox it has and what that does not stop. */
export async function startHandler(
  story: Story,
  home: DemoHome,
  sandbox: "auto" | "podman" | "bubblewrap" | "deno",
): Promise<{ readonly daemon: Daemon; readonly client: Client }> {
  setEnv("HANDLER_PORT", "0"); // another handlerd may have the usual one
  setEnv(VENDOR_KEY_VARIABLE, VENDOR_KEY);
  let made: { readonly daemon: Daemon; readonly client: Client } | undefined;
  await story.step("handlerd starts in a fresh home", async () => {
    if (sandbox === "auto" || sandbox === "podman") await provideImage();
    const daemon = await startDaemon({
      folders: home.folders,
      verbose: false,
      sandbox,
      quiet: true,
      socket: undefined,
    });
    const client = connectClient(daemon.socket);
    made = { daemon, client };
    const status = await client.status();
    return { lines: sandboxLines(daemon, status), data: status.sandbox };
  });
  return made!;
}

/** podman needs an image once; where that is all it lacks it is built from the Deno at hand. */
async function provideImage(): Promise<void> {
  try {
    const { present } = await imageStatus({ named: undefined });
    if (present.length === 0) await buildImage({ deno: await findDeno() });
  } catch {
    // the daemon takes another sandbox, or says why the one asked for does not work
  }
}

function sandboxLines(daemon: Daemon, { sandbox }: Status): readonly string[] {
  if (sandbox.driver === "none") throw new HandlerError("unavailable", sandbox.why);
  const gaps = sandbox.notStopped.map((gap) => `  - ${gap}`);
  return [
    `ready in ${daemon.readyMs} ms; sandboxes: ${sandbox.driver} (${sandbox.why})`,
    ...(gaps.length === 0 ? ["what is tried on it is stopped"] : ["it does not stop:", ...gaps]),
  ];
}

/** The clerk reads the invoice: through MCP and from a script. */
export async function agentReads(story: Story, client: Client): Promise<Reading> {
  return await story.step("the agent clerk reads a scanned invoice in its own sandbox", async () => {
    const reading = await runClerk<Reading>(client, "ocr");
    expectReading(reading);
    return {
      lines: [
        `handler-service ocr (MCP):                    ${totalLine(reading.mcp.text)}`,
        `handler-call ocr_extract --path invoice.pdf:  ${totalLine(reading.script.text)}`,
        `the engine: Tesseract in the sandbox of the connector ocr-tesseract, no network`,
        `the clerk's own reach: network ${reading.network}, /etc/shadow ${reading.hostFile}, secrets ${
          reading.secrets.length === 0 ? "none" : reading.secrets.join(", ")
        }`,
      ],
      data: reading,
    };
  });
}

/** One value is changed; what the agent is served stays the same, byte for byte. */
export async function swapProvider(
  story: Story,
  client: Client,
  before: Reading,
  vendor: Vendor,
): Promise<void> {
  await story.step('one value changes: services = { ocr = "ocr-vendor" }', async () => {
    await client.select("agent", "clerk", "ocr", ["ocr-vendor"]);
    const reading = await runClerk<Reading>(client, "ocr");
    expectReading(reading);
    if (reading.mcp.served !== before.mcp.served) {
      throw new HandlerError("internal", "the agent was served other bytes after the swap");
    }
    if (vendor.asked() === 0) throw new HandlerError("internal", "the vendor was never asked");
    const [call] = await client.calls({ binding: "ocr-vendor", limit: 1 });
    return {
      lines: [
        `the vendor's server (a local stand-in for api.mistral.ai, over TLS): ${totalLine(reading.mcp.text)}`,
        `reached through the connector's one egress socket: ${
          (call?.hosts as string[] | undefined)?.join(", ")
        }`,
        `served to the agent, handshake and listing: SHA-256 ${
          reading.mcp.served.slice(0, 16)
        }…, the same as before`,
      ],
      data: { served: reading.mcp.served, hosts: call?.hosts ?? [], vendorCalls: vendor.asked() },
    };
  });
}

/** A model call, of whatever model there is. */
export async function askModel(story: Story, client: Client, model: DemoModel | undefined): Promise<void> {
  await story.step<unknown>("the agent asks a model through handler-llm", async () => {
    if (!model) {
      return {
        lines: [
          "no model is bound: name a server in HANDLER_MODEL_ENDPOINT, or fetch a small one with `deno task model`",
        ],
        data: { bound: false },
      };
    }
    await client.bindingAdd({
      name: "llm-demo",
      connector: "llm-openai",
      description: model.small ? `LLM: ${model.model}, on this machine` : `LLM: ${model.model}`,
      settings: { endpoint: model.endpoint, model: model.model },
      secrets: {},
    });
    await client.select("agent", "clerk", "llm", ["llm-demo"]);
    const { code, answer, problem } = await runClerk<{ code: number; answer: string; problem: string }>(
      client,
      "llm",
    );
    if (code !== 0) throw new HandlerError("unavailable", `handler-llm ended with ${code}: ${problem}`);
    return {
      lines: [`${model.model}: What is the capital of France?  ${answer.replace(/\s+/g, " ")}`],
      data: { bound: true, model: model.model, answer },
    };
  });
}

/** The call records: everything but the payload. */
export async function showRecords(story: Story, client: Client): Promise<void> {
  await story.step("the call records: who, what, how long, how much; never the payload", async () => {
    const calls = await client.calls({ limit: 20 });
    if (calls.length < 4) {
      throw new HandlerError("internal", `4 calls or more were made, ${calls.length} are recorded`);
    }
    const text = JSON.stringify(calls);
    if (text.includes(TOTAL) || text.includes("invoice.pdf")) {
      throw new HandlerError("internal", "a call record holds a part of the payload");
    }
    return { lines: [recordLine(), ...calls.toReversed().map(recordLine)], data: calls };
  });
}

/** Every conformance case of ocr/v1, through the real router. */
export async function checkConnector(story: Story, client: Client): Promise<void> {
  await story.step("handler connector check ocr-tesseract", async () => {
    const lines: string[] = [];
    const report = await client.connectorCheck("ocr-tesseract", "ocr-local", (line) => lines.push(line));
    if (!report.passed) throw new HandlerError("internal", `the check failed:\n${lines.join("\n")}`);
    return { lines, data: report };
  });
}

/** The secret that the vendor's connector had is in no file of the home and in no record. */
export async function searchForSecret(story: Story, client: Client, home: DemoHome): Promise<void> {
  await story.step("the vendor's secret is searched for in every file and record", async () => {
    const found: string[] = [];
    const root = home.folders.config.replace(/\/config$/, "");
    let files = 0;
    for (const { path, kind } of await walkFiles(root)) {
      if (kind !== "file") continue;
      files++;
      if (utf8Text(await readBytes(`${root}/${path}`)).includes(VENDOR_KEY)) found.push(path);
    }
    const records = JSON.stringify(await client.calls({ limit: 100 }));
    if (records.includes(VENDOR_KEY)) found.push("call records");
    if (found.length > 0) throw new HandlerError("internal", `the secret was found in ${found.join(", ")}`);
    const processes = await argvOfAll();
    if (processes.some((argv) => argv.includes(VENDOR_KEY))) {
      throw new HandlerError("internal", "the secret was found in a process's arguments");
    }
    return {
      lines: [
        `${files} files, the records and the arguments of ${processes.length} processes: it is in none`,
      ],
      data: { files, processes: processes.length, found },
    };
  });
}

async function argvOfAll(): Promise<readonly string[]> {
  const ids = (await listFolder("/proc")).filter(({ name }) => /^\d+$/.test(name));
  const read = ids.map(({ name }) => readBytes(`/proc/${name}/cmdline`).then(utf8Text, () => ""));
  return await Promise.all(read);
}

/** Runs the agent once and gives what it reports on its last line. */
async function runClerk<T>(client: Client, what: string): Promise<T> {
  const session = await client.run("clerk", what);
  let log = "";
  for await (const piece of client.sessionLog(session.id, 0, true, new AbortController().signal)) {
    log += utf8Text(piece);
  }
  const line = /^clerk:(.*)$/m.exec(log)?.[1];
  const report: unknown = line === undefined ? undefined : JSON.parse(line);
  if (isObject(report)) return report as T;
  const { state, exitCode } = await client.session(session.id);
  throw new HandlerError(
    "unavailable",
    `the agent ended (${state}, ${exitCode}) without a report:\n${log.trim()}`,
  );
}

function expectReading({ mcp, script, secrets, network }: Reading): void {
  for (const text of [mcp.text, script.text]) {
    if (!text.includes(TOTAL)) throw new HandlerError("internal", `the total ${TOTAL} was not read`);
  }
  if (secrets.length > 0) throw new HandlerError("internal", `the agent has secrets: ${secrets.join(", ")}`);
  if (network === "was possible") throw new HandlerError("internal", "the agent has a network");
}

function totalLine(text: string): string {
  return text.split("\n").find((line) => line.includes(TOTAL))?.trim() ?? "";
}

function recordLine(call?: CallView): string {
  if (!call) {
    return row("caller", "tool", "binding", "time", "in", "out", "units", "hosts", "interface", "result");
  }
  const units = Object.entries(call.units as Record<string, number>).map(([name, count]) =>
    `${count} ${name}`
  );
  return row(
    String(call.caller),
    String(call.tool),
    String(call.binding),
    `${Math.round(Number(call.totalMs))} ms`,
    String(call.bytesIn),
    String(call.bytesOut),
    units.join(" ") || "-",
    (call.hosts as readonly string[]).join(" ") || "-",
    String(call.interfaceHash).slice(0, 8),
    String(call.error ?? "ok"),
  );
}

const WIDTHS = [13, 13, 11, 9, 8, 6, 10, 20, 10, 12];

function row(...cells: readonly string[]): string {
  return cells.map((cell, i) => cell.padEnd(WIDTHS[i]!)).join(" ").trimEnd();
}
