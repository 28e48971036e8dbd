import assert from "node:assert/strict";
import { startFakeCollector } from "../fakes/otlp.ts";
import { layHome, startHome } from "./home.ts";
import { until } from "./wait.ts";
import { codeOf } from "./wire.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

Deno.test("trace context goes through to the connector and into the record, as it came", async () => {
  await using home = await startHome();
  using wire = await home.wire("desk");
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const traced = await wire.call("probe_act", { act: "trace" }, { traceparent });
  assert.equal(traced.result.structuredContent.text, traceparent);
  const plain = await wire.call("probe_act", { act: "trace" });
  assert.equal(plain.result.structuredContent.text, "none");
  const refused = await wire.call("probe_act", { act: "fly" }, { traceparent });
  assert.equal(codeOf(refused), "invalid_input");
  const calls = await home.client.calls({ limit: 3 });
  assert.deepEqual(calls.map(({ traceId }) => traceId), [TRACE, null, TRACE]);
});

Deno.test("with OTEL_DENO spans and metrics of calls leave, and the connector gets the span's context", async () => {
  const collector = startFakeCollector();
  try {
    await using home = await layHome();
    Object.assign(home.env, {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "100",
      OTEL_SERVICE_NAME: "handlerd-under-test",
    });
    await home.start();
    await home.trust("probe/v1", "probe");
    using wire = await home.wire("desk");
    const call = (act: string, text?: string) =>
      wire.call("probe_act", text === undefined ? { act } : { act, text }, {
        traceparent: `00-${TRACE}-${PARENT}-01`,
      });
    const seen = (await call("trace")).result.structuredContent.text;
    assert.match(seen, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    assert.equal(codeOf(await call("refuse")), "odd");
    assert.equal(codeOf(await call("fly")), "invalid_input");
    await call("say", "words-of-a-payload");
    const own = await wire.call("probe_act", { act: "trace" });

    const named = () => collector.spans.filter(({ name }) => name === "tools/call probe_act");
    await until("five spans", () => named().length >= 5);
    const [good, odd, invalid, , root] = named();
    const common = {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "probe_act",
      "handler.interface": "probe/v1",
    };
    assert.deepEqual(good?.attributes, { ...common, "handler.binding": "probe" });
    assert.deepEqual([good?.traceId, good?.parentSpanId, good?.kind], [TRACE, PARENT, 2]);
    assert.equal(seen, `00-${TRACE}-${good?.spanId}-01`);
    assert.deepEqual([odd?.attributes["error.type"], odd?.status], ["odd", 2]);
    assert.deepEqual([invalid?.attributes["error.type"], invalid?.parentSpanId], ["invalid_input", PARENT]);
    assert.equal(root?.parentSpanId, "");
    assert.match(own.result.structuredContent.text, new RegExp(`^00-${root?.traceId}-${root?.spanId}-`));
    const records = await home.client.calls({ limit: 5 });
    assert.deepEqual(records.map(({ traceId }) => traceId), [root?.traceId, TRACE, TRACE, TRACE, TRACE]);

    const count = (metric: string, error?: string) =>
      collector.points.findLast((point) =>
        point.metric === metric && point.attributes["error.type"] === error &&
        point.attributes["gen_ai.tool.name"] === "probe_act"
      )?.count;
    await until("the metrics", () => count("handler.calls") === 3 && count("handler.calls", "odd") === 1);
    await until("the durations", () => count("mcp.server.operation.duration") === 3);
    assert.ok(collector.bodies.some((body) => body.includes("handlerd-under-test")));
    assert.deepEqual(collector.bodies.filter((body) => body.includes("words-of-a-payload")), []);
  } finally {
    await collector.close();
  }
});
