import assert from "node:assert/strict";
import { type FakeMistral, startFakeMistral } from "../fakes/mistral.ts";
import { fixtureAnswers } from "../fakes/mistral_answers.ts";
import { startConnectProxy } from "../fakes/proxy.ts";
import { fromFileUrl } from "../../src/platform/mod.ts";
import { errorOf, type RunningConnector, startConnector, until } from "./harness.ts";

const KEY = "test-key-5f1c";
const FIXTURES = new URL("../../interfaces/ocr/v1/conformance/", import.meta.url);

interface Bench {
  readonly fake: FakeMistral;
  readonly connector: RunningConnector;
  /** Stages a fixture of the interface and asks for its text. */
  ocr(fixture: string, signal?: AbortSignal): ReturnType<RunningConnector["call"]>;
}

async function withBench(env: Record<string, string>, run: (bench: Bench) => Promise<void>): Promise<void> {
  const fake = await startFakeMistral({ key: KEY, answers: await fixtureAnswers(fromFileUrl(FIXTURES)) });
  const proxy = startConnectProxy(new Map([["api.mistral.ai:443", fake.port]]));
  const caFile = await Deno.makeTempFile({ suffix: ".pem" });
  await Deno.writeTextFile(caFile, fake.caPem);
  const connector = await startConnector({
    entry: "connectors/ocr-mistral/main.ts",
    env: { MISTRAL_API_KEY: KEY, HTTPS_PROXY: proxy.url, DENO_CERT: caFile, ...env },
    net: ["api.mistral.ai:443", `127.0.0.1:${proxy.port}`],
  });
  const ocr: Bench["ocr"] = async (fixture, signal) => {
    const path = await connector.stage(
      await Deno.readFile(new URL(fixture, FIXTURES)),
      "application/octet-stream",
    );
    return await connector.call("ocr_extract", { path, languages: ["en"] }, signal ? { signal } : {});
  };
  try {
    await run({ fake, connector, ocr });
  } finally {
    await connector.stop();
    proxy.close();
    await fake.close();
    await Deno.remove(caFile);
  }
}

Deno.test("ocr-mistral: a scan's pages come back as plain text, and its pages are counted", () =>
  withBench({}, async ({ fake, connector, ocr }) => {
    assert.deepEqual(await connector.list(), ["ocr_extract"]);
    const result = await ocr("three-pages.tiff");
    const pages = result.structuredContent?.["pages"] as { text: string }[];
    assert.deepEqual(pages.map(({ text }) => text.split("\n")[0]), [
      "Page Alpha",
      "Page Bravo",
      "Page Charlie",
    ]);
    assert.deepEqual(result._meta?.["handler/units"], { pages: 3 });
    assert.match(
      JSON.stringify(await ocr("invoice-scan.pdf")),
      /Harbour Lane Office Supplies Ltd.*1,084\.85/,
    );
    assert.match(JSON.stringify(await ocr("invoice.pdf")), /Total due GBP {2}75\.60/);
    assert.equal(fake.asked[0]?.model, "mistral-ocr-latest");
    assert.deepEqual(fake.asked.map(({ type }) => type), ["image_url", "document_url", "document_url"]);
  }));

Deno.test("ocr-mistral: the binding's model is the one asked for", () =>
  withBench({ MISTRAL_OCR_MODEL: "mistral-ocr-2505" }, async ({ fake, ocr }) => {
    await ocr("invoice-scan.pdf");
    assert.equal(fake.asked[0]?.model, "mistral-ocr-2505");
  }));

Deno.test("ocr-mistral: what is no PDF and no image is never sent; what the vendor cannot open is its verdict", () =>
  withBench({}, async ({ fake, ocr }) => {
    assert.equal(errorOf(await ocr("archive.zip")).error, "unsupported_format");
    assert.equal(fake.requests.length, 0);
    assert.equal(errorOf(await ocr("truncated.pdf")).error, "unsupported_format");
    assert.equal(errorOf(await ocr("password.pdf")).error, "unsupported_format");
    assert.equal(fake.requests.length, 2);
  }));

Deno.test("ocr-mistral: the vendor's failures are unavailable, and its words are not passed on", () =>
  withBench({}, async ({ fake, connector, ocr }) => {
    for (const status of [429, 500, 503]) {
      fake.behave({ kind: "status", status });
      const { error, message } = errorOf(await ocr("invoice-scan.jpg"));
      assert.equal(error, "unavailable");
      assert.doesNotMatch(message, /exceeded|upstream/);
    }
    fake.behave({ kind: "malformed" });
    assert.equal(errorOf(await ocr("invoice-scan.jpg")).error, "unavailable");
    fake.behave({ kind: "normal" });
    assert.equal((await ocr("invoice-scan.jpg")).isError, undefined);
    assert.match(connector.log(), /HTTP 429 rate_limited \(1300\)/);
  }));

Deno.test("ocr-mistral: a refused key is unavailable to the agent and told to the person", () =>
  withBench({ MISTRAL_API_KEY: "wrong-key-77aa" }, async ({ connector, ocr }) => {
    assert.equal(errorOf(await ocr("invoice-scan.jpg")).error, "unavailable");
    assert.match(connector.log(), /the key in the slot api_key was refused/);
    assert.doesNotMatch(connector.log(), /wrong-key-77aa/);
  }));

Deno.test("ocr-mistral: fields the vendor adds do not reach the agent; a huge answer passes", () =>
  withBench({}, async ({ fake, ocr }) => {
    fake.behave({ kind: "extra" });
    assert.deepEqual(Object.keys((await ocr("invoice-scan.jpg")).structuredContent ?? {}), ["pages"]);
    fake.behave({ kind: "huge", bytes: 5_000_000 });
    const pages = (await ocr("invoice-scan.jpg")).structuredContent?.["pages"] as { text: string }[];
    assert.ok((pages[0]?.text.length ?? 0) > 4_900_000);
  }));

Deno.test("ocr-mistral: a cancel reaches the vendor's request", () =>
  withBench({}, async ({ fake, ocr }) => {
    fake.behave({ kind: "slow", ms: 60_000 });
    const stop = new AbortController();
    const call = ocr("invoice-scan.jpg", stop.signal);
    await until(() => fake.requests.length === 1, "the request");
    stop.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
    await until(() => fake.requests[0]?.aborted === true, "the vendor's side to see the end");
  }));
