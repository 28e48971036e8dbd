import assert from "node:assert/strict";
import { fromFileUrl } from "../../src/platform/mod.ts";
import { readConnector } from "../../src/services/connectors.ts";
import { startFakeMcpHttp } from "../fakes/mcp_http.ts";
import { type CallResult, errorOf, type RunningConnector, startConnector, until } from "./harness.ts";

const FIXTURES = fromFileUrl(new URL("./fixtures", import.meta.url));

interface Bench {
  readonly connector: RunningConnector;
  ocr(text: string, how?: Parameters<RunningConnector["call"]>[2], languages?: string[]): Promise<CallResult>;
  seen(): Promise<{ cancelled: number; calls: number; pid: number }>;
}

/** The mapping as connector.toml says it, and one more tool that tells what the server saw. */
async function toolsOf(name: string): Promise<object> {
  const { connector } = await readConnector(`${FIXTURES}/${name}`, "user", new Map());
  assert.ok(connector);
  return { ...connector.tools, seen: { tool: "seen" } };
}

function benchOf(connector: RunningConnector): Bench {
  return {
    connector,
    async ocr(text, how = {}, languages) {
      const path = await connector.stage(new TextEncoder().encode(text), "text/plain");
      return await connector.call("ocr_extract", { path, ...(languages ? { languages } : {}) }, how);
    },
    seen: async () =>
      (await connector.call("seen", {})).structuredContent as Awaited<ReturnType<Bench["seen"]>>,
  };
}

async function withCommand(name: string, run: (bench: Bench) => Promise<void>): Promise<void> {
  const root = fromFileUrl(new URL("../..", import.meta.url));
  const command = [
    Deno.execPath(),
    "run",
    "-A",
    "--cached-only",
    `--config=${root}/deno.json`,
    `${FIXTURES}/${name}/server.ts`,
  ];
  const connector = await startConnector({
    entry: "src/guest/mcp_wrap/main.ts",
    env: {
      HANDLER_WRAP: JSON.stringify({ server: { command }, tools: await toolsOf(name) }),
      DOCUMENTS_LICENSE: "L-7",
    },
    net: [],
    permissions: [`--allow-run=${Deno.execPath()}`],
  });
  try {
    await run(benchOf(connector));
  } finally {
    await connector.stop();
  }
}

function pagesOf(result: CallResult): unknown {
  return result.structuredContent?.["pages"];
}

Deno.test("wrap: a server on stdio becomes the interface's tool: renamed, arguments moved, result reshaped", () =>
  withCommand("wrap-documents", async ({ connector, ocr }) => {
    assert.deepEqual(await connector.list(), ["ocr_extract", "seen"]);
    const result = await ocr("one\ftwo", {}, ["en", "de"]);
    assert.deepEqual(result.structuredContent, { pages: [{ text: "one (en,de)" }, { text: "two (en,de)" }] });
  }));

Deno.test("wrap: the server has the slots' secrets in its environment and nothing of Handler's", () =>
  withCommand("wrap-documents", async ({ ocr }) => {
    assert.deepEqual(pagesOf(await ocr("license")), [{ text: "L-7" }]);
    assert.deepEqual(pagesOf(await ocr("handler")), [{ text: "" }]);
  }));

Deno.test("wrap: an error of the tool is unavailable without its words; Handler's own form is passed on", () =>
  withCommand("wrap-documents", async ({ connector, ocr }) => {
    const { error, message } = errorOf(await ocr("fail top secret words"));
    assert.equal(error, "unavailable");
    assert.doesNotMatch(message + connector.log(), /secret words/);
    assert.deepEqual(errorOf(await ocr("locked")), {
      error: "unsupported_format",
      message: "it has a password",
    });
  }));

Deno.test("wrap: a server that crashes fails its calls and is started again at the next", () =>
  withCommand("wrap-documents", async ({ ocr, seen }) => {
    assert.deepEqual(pagesOf(await ocr("before")), [{ text: "before" }]);
    const { pid } = await seen();
    assert.equal(errorOf(await ocr("crash")).error, "unavailable");
    assert.deepEqual(pagesOf(await ocr("after")), [{ text: "after" }]);
    assert.notEqual((await seen()).pid, pid);
    const calls = await Promise.all(Array.from({ length: 20 }, (_, index) => ocr(`n${index}`)));
    assert.deepEqual(calls.map(pagesOf), Array.from({ length: 20 }, (_, index) => [{ text: `n${index}` }]));
  }));

Deno.test("wrap: many first calls start one server", () =>
  withCommand("wrap-documents", async ({ ocr, seen }) => {
    await Promise.all(Array.from({ length: 10 }, () => ocr("first")));
    assert.equal((await seen()).calls, 10);
  }));

Deno.test("wrap: noise on the server's stdout is passed over, a flood without an end fails the call alone", () =>
  withCommand("wrap-documents", async ({ ocr }) => {
    assert.deepEqual(pagesOf(await ocr("noise")), [{ text: "noise" }]);
    assert.equal(errorOf(await ocr("flood")).error, "unavailable");
    assert.deepEqual(pagesOf(await ocr("calm")), [{ text: "calm" }]);
  }));

Deno.test("wrap: progress comes through, and a cancel reaches the server", () =>
  withCommand("wrap-documents", async ({ ocr, seen }) => {
    const notes: unknown[] = [];
    const stop = new AbortController();
    const call = ocr("slow", {
      signal: stop.signal,
      onProgress: (note) => notes.push([note["progress"], note["total"]]),
    });
    await until(() => notes.length === 2, "two notes of progress");
    assert.deepEqual(notes, [[1, 3], [2, 3]]);
    stop.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
    let cancelled = 0;
    for (let tries = 0; tries < 100 && cancelled === 0; tries++) cancelled = (await seen()).cancelled;
    assert.equal(cancelled, 1);
  }));

Deno.test("wrap: a server of the older SDK that answers in text blocks and takes data URLs", () =>
  withCommand("wrap-notes", async ({ ocr }) => {
    const result = await ocr("%PDF-1.7 one\ftwo");
    assert.deepEqual(pagesOf(result), [{ text: "%PDF-1.7 one (application/pdf)" }, {
      text: "two (application/pdf)",
    }]);
  }));

Deno.test("wrap: a command that does not exist is unavailable, call after call", async () => {
  const server = { command: ["/nonexistent/server"] };
  const connector = await startConnector({
    entry: "src/guest/mcp_wrap/main.ts",
    env: { HANDLER_WRAP: JSON.stringify({ server, tools: await toolsOf("wrap-documents") }) },
    net: [],
    permissions: ["--allow-run=/nonexistent/server"],
  });
  const { ocr } = benchOf(connector);
  assert.equal(errorOf(await ocr("one")).error, "unavailable");
  assert.equal(errorOf(await ocr("two")).error, "unavailable");
  await connector.stop();
});

async function withAddress(url: string, port: number, run: (bench: Bench) => Promise<void>): Promise<void> {
  const connector = await startConnector({
    entry: "src/guest/mcp_wrap/main.ts",
    env: {
      HANDLER_WRAP: JSON.stringify({
        server: { urlVariable: "DOCUMENTS_URL" },
        tools: await toolsOf("wrap-remote"),
      }),
      DOCUMENTS_URL: url,
      MCP_BEARER_TOKEN: "t-42",
    },
    net: [`127.0.0.1:${port}`],
  });
  try {
    await run(benchOf(connector));
  } finally {
    await connector.stop();
  }
}

Deno.test("wrap: a server at an address, with its token, over sessions that end and a restart", async () => {
  let remote = startFakeMcpHttp({ port: 0, token: "t-42" });
  const { port, url } = remote;
  await withAddress(url, port, async ({ ocr }) => {
    assert.deepEqual(pagesOf(await ocr("one\ftwo", {}, ["en"])), [{ text: "one (en)" }, {
      text: "two (en)",
    }]);
    assert.deepEqual(pagesOf(await ocr("again")), [{ text: "again" }]);
    assert.equal(remote.opened(), 1);
    for (const status of [404, 400] as const) {
      remote.forget(status);
      assert.deepEqual(pagesOf(await ocr("after")), [{ text: "after" }]);
    }
    assert.equal(remote.opened(), 3);

    await remote.close();
    assert.equal(errorOf(await ocr("nobody there")).error, "unavailable");
    remote = startFakeMcpHttp({ port, token: "t-42" });
    assert.deepEqual(pagesOf(await ocr("back")), [{ text: "back" }]);
  });
  await remote.close();
});

Deno.test("wrap: progress and a cancel go through an address too; a wrong token is unavailable", async () => {
  const remote = startFakeMcpHttp({ port: 0, token: "t-42" });
  await withAddress(remote.url, remote.port, async ({ ocr }) => {
    const before = remote.seen.cancelled;
    const notes: unknown[] = [];
    const stop = new AbortController();
    const call = ocr("slow", { signal: stop.signal, onProgress: (note) => notes.push(note["progress"]) });
    await until(() => notes.length === 2, "two notes of progress");
    stop.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
    await until(() => remote.seen.cancelled === before + 1, "the cancel");
  });
  const other = startFakeMcpHttp({ port: 0, token: "another" });
  await withAddress(other.url, other.port, async ({ ocr }) => {
    assert.equal(errorOf(await ocr("one")).error, "unavailable");
  });
  await remote.close();
  await other.close();
});
