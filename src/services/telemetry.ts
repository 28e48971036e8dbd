import type { Span, SpanContext } from "@opentelemetry/api";
import { HANDLER_VERSION } from "../base/mod.ts";
import { env } from "../platform/mod.ts";
import type { CallRecord } from "../store/mod.ts";

/** A call's span. */
export interface CallSpan {
  /** The W3C trace context to pass on: the span's own. */
  readonly traceparent: string;
  /** Ends the span and counts the call; the record has no payload, so neither has what leaves. */
  end(record: CallRecord): void;
}

/** Spans and metrics of calls. */
export interface Telemetry {
  /** A call begins; `traceparent` is the caller's W3C trace context, where it sent one. */
  begin(tool: string, traceparent: string | undefined): CallSpan;
}

/**
 * Spans and metrics by way of Deno's own OpenTelemetry, named by its conventions for MCP; undefined, and nothing loaded,
 * where OTEL_DENO does not switch that on. Where they go is for the usual OTEL_* variables to say.
 */
export async function openTelemetry(): Promise<Telemetry | undefined> {
  if (!/^(?:1|true)$/.test(env("OTEL_DENO") ?? "")) return undefined;
  return createTelemetry(await import("@opentelemetry/api"));
}

function createTelemetry(api: typeof import("@opentelemetry/api")): Telemetry {
  const tracer = api.trace.getTracer("handler", HANDLER_VERSION);
  const meter = api.metrics.getMeter("handler", HANDLER_VERSION);
  const calls = meter.createCounter("handler.calls", { unit: "{call}", description: "Calls of services" });
  const duration = meter.createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "How long a call took, from its request to its answer",
  });
  return {
    begin(tool, traceparent) {
      const parent = spanContextOf(traceparent);
      const context = parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT;
      const span = tracer.startSpan(`tools/call ${tool}`, { kind: api.SpanKind.SERVER }, context);
      return {
        traceparent: traceparentOf(span),
        end(record) {
          const attributes = attributesOf(record);
          span.setAttributes(attributes);
          if (record.error !== null) {
            span.setStatus({ code: api.SpanStatusCode.ERROR, message: record.error });
          }
          span.end();
          calls.add(1, attributes);
          duration.record(record.totalMs / 1000, attributes);
        },
      };
    },
  };
}

function attributesOf({ tool, interfaceId, binding, error }: CallRecord): Record<string, string> {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "handler.interface": interfaceId,
    ...(binding === "" ? {} : { "handler.binding": binding }),
    ...(error === null ? {} : { "error.type": error }),
  };
}

function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
