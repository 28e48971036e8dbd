import assert from "node:assert/strict";
import type { CallView } from "$client";
import { exportHref, localTime, partsOf, queryOf, spanOf } from "./call.ts";

Deno.test("a URL's filters are the query's fields, a range is a time", () => {
  const params = new URLSearchParams("caller=agent:clerk&failed=1&range=hour&tab=charts&binding=");
  assert.deepEqual(queryOf(params, 10_000_000), {
    caller: "agent:clerk",
    failedOnly: true,
    since: 6_400_000,
  });
  assert.deepEqual(queryOf(new URLSearchParams("range=aeon&failed=0"), 1), {});
});

Deno.test("the export has the same filters", () => {
  const href = exportHref({ caller: "agent:a&b", failedOnly: true }, "csv");
  assert.equal(href, "/v1/calls/export?caller=agent%3Aa%26b&failedOnly=true&format=csv");
});

Deno.test("the parts of a call are its whole time", () => {
  const call = { queueMs: 1, startMs: 20, upstreamMs: 300, validateMs: 2, totalMs: 330 } as CallView;
  assert.equal(partsOf(call).reduce((sum, { ms }) => sum + ms, 0), 330);
  assert.equal(partsOf({ ...call, totalMs: 300 }).at(-1)?.ms, 0);
});

Deno.test("a time of one's own is between two moments by the local clock, either of them open", () => {
  const at = Date.parse("2026-03-01T12:30");
  assert.equal(localTime(at), "2026-03-01T12:30");
  const params = new URLSearchParams({ range: "custom", since: localTime(at), until: "soon" });
  assert.deepEqual(spanOf(params, 1), { since: at });
  assert.deepEqual(spanOf(new URLSearchParams({ since: localTime(at) }), 1), {});
});
