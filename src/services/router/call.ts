import { errorText, HandlerError, isObject, newId } from "../../base/mod.ts";
import type { SchemaProblem } from "../../schema/mod.ts";
import type { CallRecord } from "../../store/mod.ts";
import { cut, cutBytes, type Message } from "../../wire/mod.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Deadlines } from "./deadlines.ts";
import { CallFailure, declaredFailure, unavailable, UNAVAILABLE_TEXT } from "./failure.ts";
import type { Gate } from "./gate.ts";
import type { Instance, Instances, Lease } from "./instances.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { Caller, RouterPorts, ServedInterface, ServedTool } from "./ports.ts";
import { type Staged, stageFiles } from "./staging.ts";
import { isUnavailable, type Progress, Upstream } from "./upstream.ts";

/** The connections of one caller to connectors, kept from call to call. */
export type Connections = Map<string, Promise<Upstream>>;

/** What calls of one caller and interface share. */
export interface CallContext {
  readonly ports: RouterPorts;
  readonly instances: Instances;
  readonly caller: Caller;
  readonly served: ServedInterface;
  readonly gate: Gate;
  readonly deadlines: Deadlines;
  readonly connections: Connections;
  /** Counts the calls of a run, for `maxCallsPerRun`. */
  readonly run: { calls: number };
}

/** One call, its input already known to be right. */
export interface CallRequest {
  readonly tool: ServedTool;
  readonly arguments: unknown;
  readonly argumentsText: string;
  readonly traceparent: string | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** Cancelled when the caller cancels or is gone. */
  readonly cancellation: Cancellation;
}

/** The result of a call as JSON texts. */
export interface CallSuccess {
  /** The structured content, as the connector wrote it. */
  readonly structured: string;
  /** The same as bytes, where it is long: they are handed on without being read again. */
  readonly bytes: Uint8Array | undefined;
}

interface Timing {
  queueMs: number;
  startMs: number;
  upstreamMs: number;
  validateMs: number;
  bytesIn: number;
  bytesOut: number;
  units: Record<string, number>;
  hosts: readonly string[];
  binding: ResolvedBinding | undefined;
  /** The binding that was tried last, also one that did not start. */
  tried: string;
}

/**
 * Takes a call through limits, files, selection, the connector and the check of its answer, and leaves one record.
 * @throws {CallFailure} always of a code that the interface or the platform declares
 */
export async function runCall(context: CallContext, request: CallRequest): Promise<CallSuccess> {
  const { clock } = context.ports;
  const began = clock.monotonic(), startedAt = clock.now();
  const span = context.ports.telemetry?.begin(request.tool.name, request.traceparent);
  const traced = span ? { ...request, traceparent: span.traceparent } : request;
  const timing: Timing = {
    queueMs: 0,
    startMs: 0,
    upstreamMs: 0,
    validateMs: 0,
    bytesIn: request.argumentsText.length,
    bytesOut: 0,
    units: {},
    hosts: [],
    binding: undefined,
    tried: "",
  };
  let failure: CallFailure | undefined;
  try {
    return await limited(context, traced, timing);
  } catch (error) {
    failure = asFailure(error);
    throw failure;
  } finally {
    const record = recordOf(context, traced, timing, failure, startedAt, clock.monotonic() - began);
    context.ports.record(record);
    span?.end(record);
  }
}

/** A call that was refused before it could run (bad input, an unknown tool) leaves a record too. */
export function recordRefused(
  context: CallContext,
  tool: string,
  bytesIn: number,
  traceparent: string | undefined,
  failure: CallFailure,
): void {
  const span = context.ports.telemetry?.begin(tool, traceparent);
  const timing = {
    queueMs: 0,
    startMs: 0,
    upstreamMs: 0,
    validateMs: 0,
    bytesIn,
    bytesOut: 0,
    units: {},
    hosts: [],
  };
  const request = { tool: { name: tool }, traceparent: span?.traceparent ?? traceparent };
  const now = context.ports.clock.now();
  const record = recordOf(context, request, { ...timing, binding: undefined, tried: "" }, failure, now, 0);
  context.ports.record(record);
  span?.end(record);
}

async function limited(context: CallContext, request: CallRequest, timing: Timing): Promise<CallSuccess> {
  const { limits } = context.served.definition;
  if (limits.maxCallsPerRun > 0 && context.run.calls >= limits.maxCallsPerRun) {
    throw new CallFailure(
      "limit",
      `maxCallsPerRun: a run may make ${limits.maxCallsPerRun} calls of this service`,
    );
  }
  context.run.calls++;
  const clock = context.ports.clock;
  const { cancellation } = request;
  cancellation.throwIfCancelled();
  const seconds = limits.timeoutSeconds;
  const deadline = context.deadlines.add(() => {
    cancellation.cancel(new CallFailure("limit", `timeoutSeconds: the call took more than ${seconds} s`));
  });
  try {
    const from = clock.monotonic();
    if (!context.gate.tryEnter()) await context.gate.enter(cancellation);
    timing.queueMs = clock.monotonic() - from;
    try {
      return await withFiles(context, request, timing);
    } finally {
      context.gate.leave();
    }
  } finally {
    deadline.over = true;
  }
}

/** Tries the selected bindings in order; only `unavailable` moves on to the next (contract S.18). */
async function withFiles(context: CallContext, request: CallRequest, timing: Timing): Promise<CallSuccess> {
  const { caller, served } = context;
  const bindings = caller.selection(served.definition.id);
  if (bindings.length === 0) {
    throw unavailable("no provider is chosen for this service", "no binding is selected");
  }
  let last: unknown;
  for (const name of bindings) {
    timing.tried = name;
    try {
      return await onBinding(context, request, timing, name);
    } catch (error) {
      if (!isUnavailable(error) || request.cancellation.reason) throw error;
      last = error;
    }
  }
  throw last;
}

/** A connector that died a moment ago may still count as running: a call that does not reach it starts it again. */
async function onBinding(context: CallContext, request: CallRequest, timing: Timing, name: string) {
  try {
    return await onInstance(context, request, timing, name);
  } catch (error) {
    if (!(error instanceof NotReached)) throw error;
    await context.instances.notReached(error.instance, error.refused);
    return await onInstance(context, request, timing, name);
  }
}

async function onInstance(context: CallContext, request: CallRequest, timing: Timing, name: string) {
  if (context.caller.privacy === "local") refuseRemote(context.instances.bindingOf(name));
  using lease = context.instances.ready(name) ??
    await cancellable(context.instances.acquire(name), request.cancellation);
  timing.startMs += lease.startMs;
  timing.binding = lease.instance.binding;
  const places = request.tool.files?.(request.arguments) ?? [];
  if (places.length === 0) return await ask(context, request, timing, lease, undefined);
  const { definition } = context.served;
  await using staged = await stageFiles(
    {
      scope: context.caller.scope,
      folder: lease.instance.files,
      maxFileBytes: definition.limits.maxFileBytes,
      maxOutputBytes: definition.limits.maxOutputBytes,
      tooLarge: definition.errors.too_large,
    },
    request.arguments,
    places,
  );
  timing.bytesIn += staged.bytesIn;
  return await ask(context, request, timing, lease, staged);
}

/** A start goes on for others when this caller gives up; a lease that comes too late is given back. */
function cancellable(acquiring: Promise<Lease>, cancellation: Cancellation): Promise<Lease> {
  cancellation.throwIfCancelled();
  return new Promise((resolve, reject) => {
    const cancel = () => {
      reject(cancellation.reason);
      acquiring.then((lease) => lease[Symbol.dispose](), () => {});
    };
    cancellation.onCancel(cancel);
    acquiring.then(resolve, reject).finally(() => cancellation.forget(cancel));
  });
}

/** Before anything of the connector runs (contract S.18). */
function refuseRemote({ name, egress }: ResolvedBinding): void {
  if (egress.length === 0) return;
  throw unavailable("no local provider is available", `privacy is local and binding ${name} has egress`);
}

async function ask(
  context: CallContext,
  request: CallRequest,
  timing: Timing,
  lease: Lease,
  staged: Staged | undefined,
): Promise<CallSuccess> {
  const { clock } = context.ports;
  const from = clock.monotonic();
  const upstream = await connected(context, lease);
  let message: Message;
  try {
    message = await upstream.call({
      tool: request.tool.name,
      argumentsText: staged ? JSON.stringify(staged.arguments) : request.argumentsText,
      traceparent: request.traceparent,
      onProgress: request.onProgress,
      cancellation: request.cancellation,
    });
  } finally {
    timing.upstreamMs += clock.monotonic() - from;
    timing.hosts = mergedHosts(timing.hosts, context.ports.hostsSince(lease.instance.sandbox.name, from));
  }
  const checked = clock.monotonic();
  const result = readResult(context, request.tool, message, timing);
  timing.validateMs += clock.monotonic() - checked;
  timing.bytesOut += result.structured.length;
  if (staged) timing.bytesOut += await staged.deliver();
  return result;
}

/** One connection per caller and instance: what breaks it breaks no other caller's calls. */
async function connected(context: CallContext, lease: Lease): Promise<Upstream> {
  const { socket } = lease.instance;
  const known = await context.connections.get(socket);
  if (known?.isOpen) return known;
  const { maxMessageBytes } = context.served.definition.limits;
  const fresh = Upstream.connect(socket, maxMessageBytes, 10_000);
  context.connections.set(socket, fresh);
  try {
    const upstream = await fresh;
    void upstream.closed.then(() => context.connections.delete(socket));
    return upstream;
  } catch (error) {
    context.connections.delete(socket);
    const why = `the connector takes no connection: ${errorText(error)}`;
    if (error instanceof HandlerError) throw unavailable(UNAVAILABLE_TEXT, why); // too slow, but there
    throw new NotReached(lease.instance, !(error instanceof CallFailure), why);
  }
}

/** Nobody listens at an instance's socket, or who did closed the connection before the call was sent. */
class NotReached extends CallFailure {
  readonly instance: Instance;
  readonly refused: boolean;

  constructor(instance: Instance, refused: boolean, detail: string) {
    super("unavailable", UNAVAILABLE_TEXT, detail);
    this.instance = instance;
    this.refused = refused;
  }
}

/**
 * The connector's answer, checked: a success whose structured content matches the schema, or an error of the closed list
 * (seeds S2, S3). Nothing else of the answer reaches the caller.
 */
function readResult(context: CallContext, tool: ServedTool, message: Message, timing: Timing): CallSuccess {
  const { result } = message;
  if (!isObject(result)) throw unavailable(UNAVAILABLE_TEXT, "the connector answered with a protocol error");
  timing.units = unitsOf(result);
  if (result.isError === true) throw connectorFailure(context, result);
  const span = message.scan.find("result", "structuredContent");
  if (!span || !isObject(result.structuredContent)) {
    throw unavailable(UNAVAILABLE_TEXT, "the connector's result has no structured content");
  }
  const fault = tool.checkOutput(result.structuredContent);
  if (fault) throw unavailable(UNAVAILABLE_TEXT, outputFault(result.structuredContent, fault));
  const { maxOutputBytes } = context.served.definition.limits;
  if (span.end - span.start > maxOutputBytes) {
    throw new CallFailure("limit", `maxOutputBytes: the result has more than ${maxOutputBytes} bytes`);
  }
  const long = span.end - span.start > LONG_RESULT;
  return { structured: cut(message, span), bytes: long ? cutBytes(message, span) : undefined };
}

/** From this many characters on a result is not copied where that can be helped. */
const LONG_RESULT = 64 * 1024;

/** The property and the rule (contract S.16); a vendor's new field is named, where its name looks like one. */
function outputFault(value: unknown, fault: SchemaProblem): string {
  const names = fault.path.split("/").slice(1);
  if (names.at(-1) === "*") {
    const owner = names.slice(0, -1).reduce(
      (at, name) => isObject(at) || Array.isArray(at) ? at[name as never] : undefined,
      value as unknown,
    );
    const fields = isObject(owner) ? Object.keys(owner).filter((name) => FIELD_NAME.test(name)) : [];
    return `output ${fault.path}: ${fault.message}; it has ${fields.slice(0, 20).join(", ")}`;
  }
  return `output ${fault.path || "/"}: ${fault.message}`;
}

function connectorFailure({ ports, served }: CallContext, result: { [key: string]: unknown }): CallFailure {
  const first: unknown = Array.isArray(result.content) ? result.content[0] : undefined;
  const text = isObject(first) && typeof first.text === "string" ? first.text : "";
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return unavailable(UNAVAILABLE_TEXT, "the connector's error is not in the declared form");
  }
  if (!isObject(body)) {
    return unavailable(UNAVAILABLE_TEXT, "the connector's error is not in the declared form");
  }
  return declaredFailure(served.definition.errors, body.error, body.message, ports.redact);
}

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;
const UNIT_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,31}$/;

function unitsOf(result: { [key: string]: unknown }): Record<string, number> {
  const units = isObject(result._meta) ? result._meta["handler/units"] : undefined;
  if (!isObject(units)) return {};
  const fit = Object.entries(units).filter(([name, count]) => {
    return UNIT_NAME.test(name) && typeof count === "number" && Number.isFinite(count) && count >= 0;
  });
  return Object.fromEntries(fit.slice(0, 16)) as Record<string, number>;
}

function mergedHosts(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? known : [...new Set([...known, ...more])];
}

/** Whatever was thrown, as something the caller may see; details of our own stay in the log and the record. */
function asFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  const detail = error instanceof HandlerError ? `${error.kind}: ${error.message}` : "an internal error";
  return unavailable(UNAVAILABLE_TEXT, detail);
}

function recordOf(
  context: CallContext,
  request: Pick<CallRequest, "traceparent"> & { readonly tool: { readonly name: string } },
  timing: Timing,
  failure: CallFailure | undefined,
  startedAt: number,
  totalMs: number,
): CallRecord {
  const { definition } = context.served;
  return {
    id: newId(startedAt),
    startedAt,
    caller: context.caller.id,
    session: context.caller.session,
    interfaceId: definition.id,
    interfaceHash: definition.hash,
    tool: request.tool.name,
    binding: timing.tried,
    connector: timing.binding?.connector.name ?? "",
    connectorHash: timing.binding?.connector.hash ?? "",
    queueMs: timing.queueMs,
    startMs: timing.startMs,
    upstreamMs: timing.upstreamMs,
    validateMs: timing.validateMs,
    totalMs,
    bytesIn: timing.bytesIn,
    bytesOut: timing.bytesOut,
    units: timing.units,
    hosts: timing.hosts,
    error: failure?.code ?? null,
    detail: failure?.detail ?? null,
    traceId: request.traceparent?.split("-")[1] ?? null,
  };
}
