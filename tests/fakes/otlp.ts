/**
 * A local OpenTelemetry collector that takes OTLP over HTTP as JSON and keeps the spans and metrics it was sent.
 * @module
 */

/** An attribute's value, as far as the tests look at it. */
export type AttributeValue = string | number | boolean;

/** A span as it came. */
export interface KeptSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  /** 2 for an error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** The newest state of one series of a metric. */
export interface KeptPoint {
  readonly metric: string;
  readonly unit: string;
  /** The count of a histogram, the value of a counter. */
  readonly count: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** A running collector. */
export interface FakeCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT; it takes OTEL_EXPORTER_OTLP_PROTOCOL=http/json. */
  readonly endpoint: string;
  readonly spans: readonly KeptSpan[];
  readonly points: readonly KeptPoint[];
  /** Everything that was sent, as text. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

// deno-lint-ignore no-explicit-any -- the protocol's JSON, read loosely here
type Loose = any;

/** Starts a collector on a free loopback port. */
export function startFakeCollector(): FakeCollector {
  const spans: KeptSpan[] = [];
  const points: KeptPoint[] = [];
  const bodies: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const text = await request.text();
    bodies.push(text);
    const body = JSON.parse(text);
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/traces") spans.push(...spansOf(body));
    if (pathname === "/v1/metrics") points.push(...pointsOf(body));
    return Response.json({});
  });
  return {
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    spans,
    points,
    bodies,
    close: () => server.shutdown(),
  };
}

function spansOf(body: Loose): KeptSpan[] {
  return body.resourceSpans
    .flatMap((resource: Loose) => resource.scopeSpans.flatMap((scope: Loose) => scope.spans))
    .map((span: Loose): KeptSpan => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId ?? "",
      name: span.name,
      kind: span.kind,
      status: span.status?.code ?? 0,
      attributes: attributesOf(span.attributes),
    }));
}

function pointsOf(body: Loose): KeptPoint[] {
  const metrics: Loose[] = body.resourceMetrics
    .flatMap((resource: Loose) => resource.scopeMetrics.flatMap((scope: Loose) => scope.metrics));
  return metrics.flatMap(({ name, unit, sum, histogram, gauge }): KeptPoint[] =>
    (sum ?? histogram ?? gauge)?.dataPoints.map((point: Loose): KeptPoint => ({
      metric: name,
      unit,
      count: Number(point.count ?? point.asInt ?? point.asDouble ?? 0),
      attributes: attributesOf(point.attributes),
    })) ?? []
  );
}

function attributesOf(list: Loose): Record<string, AttributeValue> {
  const values = (list ?? []).map(({ key, value }: Loose) => [key, Object.values(value)[0]]);
  return Object.fromEntries(values);
}
