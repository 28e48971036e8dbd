/**
 * The agent of the demo: a small program that works as agents do, through `handler-service` (MCP), `handler-call` and
 * `handler-llm`, and then tries what it must not be able to do. It is a text because it is written into the agent's work
 * folder and runs in the sandbox.
 * @module
 */
export const CLERK = String.raw`
const encoder = new TextEncoder(), decoder = new TextDecoder();
const path = (name) => (Deno.env.get("PATH") ?? "").split(":").map((folder) => folder + "/" + name)
  .find((file) => { try { return Deno.statSync(file).isFile; } catch { return false; } }) ?? name;

async function sha256(text) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function run(name, args, input) {
  const child = new Deno.Command(path(name), { args, stdin: input === undefined ? "null" : "piped", stdout: "piped", stderr: "piped" }).spawn();
  if (input !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(encoder.encode(input));
    await writer.close();
  }
  const { code, stdout, stderr } = await child.output();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

const request = (id, method, params) => JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";

async function speakMcp() {
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "clerk", version: "1" } };
  const input = request(1, "initialize", client) + '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' +
    request(2, "tools/list", {}) +
    request(3, "tools/call", { name: "ocr_extract", arguments: { path: "invoice.pdf" } });
  const { out, err } = await run("handler-service", ["ocr"], input);
  const frames = out.trim().split("\n");
  if (frames.length !== 3) throw new Error("handler-service gave " + frames.length + " answers: " + err);
  const result = JSON.parse(frames[2]).result;
  if (result.isError) throw new Error("ocr_extract: " + result.content[0].text);
  return { served: await sha256(frames[0] + "\n" + frames[1]), text: result.structuredContent.pages.map((page) => page.text).join("\n") };
}

async function tries(what) {
  try {
    await what();
    return "was possible";
  } catch (error) {
    return "refused (" + error.name + ")";
  }
}

const work = {
  async ocr() {
    const mcp = await speakMcp();
    const script = await run("handler-call", ["ocr_extract", "--path", "invoice.pdf"]);
    if (script.code !== 0) throw new Error("handler-call: " + script.err);
    return {
      mcp,
      script: { text: script.out },
      secrets: Object.keys(Deno.env.toObject()).filter((name) => /KEY|TOKEN|SECRET|PASSWORD/.test(name)),
      network: await tries(() => Deno.connect({ hostname: "1.1.1.1", port: 443 })),
      hostFile: await tries(() => Deno.readTextFile("/etc/shadow")),
    };
  },
  async llm() {
    const { code, out, err } = await run("handler-llm", ["--max-tokens", "24", "--temperature", "0", "What is the capital of France?"]);
    return { code, answer: out.trim(), problem: err.trim() };
  },
};

const result = await work[Deno.args[0] ?? "ocr"]();
console.log("clerk:" + JSON.stringify(result));
`;
