/**
 * The official clients, older and newer and in both eras of the protocol, through a real `handler-service` process.
 */
import assert from "node:assert/strict";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import type { SystemHome } from "../system/home.ts";
import { until } from "../system/wait.ts";
import { startMcpHome } from "./home.ts";

interface Asking {
  readonly signal?: AbortSignal;
  readonly onprogress?: (note: { progress: number; total?: number | undefined }) => void;
}

/** What the tests use of a client, whichever it is. */
interface AnyClient {
  readonly version: string | undefined;
  readonly instructions: string | undefined;
  tools(): Promise<
    readonly { readonly name: string; readonly inputSchema: unknown; readonly outputSchema?: unknown }[]
  >;
  call(
    input: unknown,
    asking?: Asking,
  ): Promise<{ isError?: boolean; content: unknown; structuredContent?: unknown }>;
  callOther(name: string): Promise<unknown>;
  close(): Promise<void>;
}

const INFO = { name: "tests", version: "1" };
const NO_LIMIT = { timeout: 600_000 };

/** How `handler-service` is started for the agent `desk`, as a client on the host is told to. */
function stdio(home: SystemHome) {
  const [command = "", ...args] = home.argv("handler-service");
  const stderr = "ignore" as const;
  return { command, args: [...args, "probe", "--agent", "desk"], env: home.env, stderr };
}

async function v1(home: SystemHome): Promise<AnyClient> {
  const client = new ClientV1(INFO);
  await client.connect(new StdioV1(stdio(home)));
  return {
    version: undefined,
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: (input, asking) =>
      client.callTool({ name: "probe_act", arguments: input as Record<string, unknown> }, undefined, {
        ...NO_LIMIT,
        ...asking,
      }) as ReturnType<AnyClient["call"]>,
    callOther: (name) => client.callTool({ name, arguments: {} }),
    close: () => client.close(),
  };
}

function v2(mode: "legacy" | "auto" | { readonly pin: string }) {
  return async (home: SystemHome): Promise<AnyClient> => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    await client.connect(new StdioV2(stdio(home)));
    return {
      version: client.getNegotiatedProtocolVersion(),
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools,
      call: (input, asking) =>
        client.callTool({ name: "probe_act", arguments: input as Record<string, unknown> }, {
          ...NO_LIMIT,
          ...asking,
        }) as ReturnType<AnyClient["call"]>,
      callOther: (name) => client.callTool({ name, arguments: {} }),
      close: () => client.close(),
    };
  };
}

interface Kind {
  readonly name: string;
  readonly version: string | undefined;
  connect(home: SystemHome): Promise<AnyClient>;
}

const KINDS: readonly Kind[] = [
  { name: "the v1 client", version: undefined, connect: v1 },
  { name: "the v2 client, handshake era", version: "2025-11-25", connect: v2("legacy") },
  { name: "the v2 client, stateless era", version: "2026-07-28", connect: v2({ pin: "2026-07-28" }) },
  { name: "the v2 client, finding the era out", version: "2026-07-28", connect: v2("auto") },
];

for (const kind of KINDS) {
  Deno.test({
    name: `${kind.name}: list, call, progress, cancel, errors and large results through handler-service`,
    // the clients leave timers of their own behind
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => throughService(kind),
  });
}

async function throughService(kind: Kind): Promise<void> {
  await using home = await startMcpHome();
  const client = await kind.connect(home);
  try {
    assert.equal(client.version, kind.version);
    assert.match(client.instructions ?? "", /^# Probing/);
    await lists(home, client);
    await calls(home, client);
    await cancels(home, client);
    await fails(client);
  } finally {
    await client.close();
  }
}

async function lists(home: SystemHome, client: AnyClient): Promise<void> {
  const written = JSON.parse(await Deno.readTextFile(`${home.path}/data/interfaces/probe/v1/tools.json`));
  const { tools } = { tools: await client.tools() };
  assert.deepEqual(tools.map(({ name }) => name), ["probe_act", "probe_read", "probe_write"]);
  assert.deepEqual(
    tools.map(({ inputSchema }) => inputSchema),
    written.map((tool: typeof tools[0]) => tool.inputSchema),
  );
  assert.deepEqual(
    tools.map(({ outputSchema }) => outputSchema),
    written.map((tool: typeof tools[0]) => tool.outputSchema),
  );
}

async function calls(home: SystemHome, client: AnyClient): Promise<void> {
  const text = 'ünï \u2028 \u{1F600} "quoted" \\ \n\t end';
  const said = await client.call({ act: "say", text });
  assert.deepEqual(said.structuredContent, { text });
  assert.deepEqual(said.content, [{ type: "text", text: JSON.stringify({ text }) }]);
  const steps: number[] = [];
  const grown = await client.call({ act: "grow", count: 200 }, {
    onprogress: ({ progress }) => steps.push(progress),
  });
  assert.deepEqual(grown.structuredContent, { text: "grew 200" });
  // a client drops what stands before the result in the same read, so the last ones may be missing
  assert.ok(steps.length > 0);
  assert.deepEqual(steps, Array.from(steps, (_, i) => i + 1));
  const large = await client.call({ act: "repeat", text: "0123456789", count: 300_000 });
  assert.equal((large.structuredContent as { text: string }).text.length, 3_000_000);
  const together = await Promise.all(
    Array.from({ length: 40 }, (_, i) => client.call({ act: "say", text: `number ${i}` })),
  );
  together.forEach(({ structuredContent }, i) =>
    assert.deepEqual(structuredContent, { text: `number ${i}` })
  );
  assert.equal((await home.client.calls({ limit: 100 })).length, 43);
}

async function cancels(home: SystemHome, client: AnyClient): Promise<void> {
  const stop = new AbortController();
  const held = client.call({ act: "hold", text: "long" }, { signal: stop.signal });
  const log = () => home.client.connectorLog("probe");
  await until("the call to reach the connector", async () => (await log()).includes("holds long"));
  stop.abort("enough");
  await assert.rejects(held);
  await until("the cancel to reach the connector", async () => (await log()).includes("lets go of long"));
  assert.deepEqual((await client.call({ act: "say", text: "after" })).structuredContent, { text: "after" });
}

async function fails(client: AnyClient): Promise<void> {
  const refused = await client.call({ act: "refuse" });
  assert.equal(refused.isError, true);
  assert.deepEqual(refused.content, [{ type: "text", text: '{"error":"odd","message":"that was odd"}' }]);
  assert.equal(refused.structuredContent, undefined);
  const wrong = await client.call({ act: "fly" });
  assert.equal(wrong.isError, true);
  assert.match(JSON.stringify(wrong.content), /invalid_input/);
  await assert.rejects(client.callOther("probe_nothing"), /Unknown tool/);
}
