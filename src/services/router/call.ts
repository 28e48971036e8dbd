import { errorText, HandlerError } from "../../base/mod.ts";
import type { FilePlace } from "../../schema/mod.ts";
import type { Message } from "../../wire/mod.ts";
import type { ResolvedBinding } from "../bindings.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Deadlines } from "./deadlines.ts";
import { CallFailure, unavailable, UNAVAILABLE_TEXT } from "./failure.ts";
import type { Gate } from "./gate.ts";
import type { Instance, Instances, Lease } from "./instances.ts";
import type { Caller, RouterPorts, ServedInterface, ServedTool } from "./ports.ts";
import type { Pieces } from "./pieces.ts";
import { type Course, newCourse, recordOf } from "./record.ts";
import { type CallSuccess, readResult, unitsOf } from "./result.ts";
import { callUnlessSilent } from "./silence.ts";
import { stageFiles } from "./staging.ts";
import { isUnavailable, type Progress, Upstream } from "./upstream.ts";

/** The connections of one caller to connectors by socket, kept from call to call. */
export type Connections = Map<string, Upstream | Promise<Upstream>>;

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
  /** What tells pieces of the answer, where the caller wants them; `onProgress` is its own then. */
  readonly pieces: Pieces | undefined;
  /** Cancelled when the caller cancels or is gone. */
  readonly cancellation: Cancellation;
}

// Of every promise and closure on this way a thousand calls feel the cost: one step waits in one function.

/**
 * Takes a call through limits, files, selection, the connector and the check of its answer, and leaves one record.
 * @param answer gets a success as soon as it is there; the record is made after that, for nobody waits for it
 * @throws {CallFailure} always of a code that the interface or the platform declares
 */
export async function runCall(
  context: CallContext,
  request: CallRequest,
  answer?: (success: CallSuccess) => void,
): Promise<CallSuccess> {
  const { caller, served, gate, ports } = context, { clock } = ports;
  const { tool, cancellation } = request;
  const began = clock.monotonic(), course = newCourse(clock.now(), request.argumentsText.length);
  const span = ports.telemetry?.begin(tool.name, request.traceparent);
  const traced = span ? { ...request, traceparent: span.traceparent } : request;
  const deadline = context.deadlines.add(began, () => cancellation.cancel(tooLong(served)));
  let failure: CallFailure | undefined, entered = false;
  try {
    countOfRun(context);
    cancellation.throwIfCancelled();
    if (!gate.tryEnter()) {
      await gate.enter(cancellation);
      course.queueMs = clock.monotonic() - began;
    }
    entered = true;
    const success = await onBindings(context, traced, course);
    request.pieces?.end();
    answer?.(success);
    return success;
  } catch (error) {
    throw failure = asFailure(error);
  } finally {
    if (failure) request.pieces?.void();
    if (entered) gate.leave();
    deadline.over = true;
    const { traceparent } = traced, totalMs = clock.monotonic() - began;
    const record = recordOf(course, { caller, served, tool: tool.name, traceparent, failure, totalMs });
    ports.record(record);
    span?.end(record);
  }
}

/** A call that was refused before it could run (bad input) leaves a record too. */
export function recordRefused(
  { caller, served, ports }: CallContext,
  tool: string,
  bytesIn: number,
  traceparent: string | undefined,
  failure: CallFailure,
): void {
  const span = ports.telemetry?.begin(tool, traceparent);
  const ended = { caller, served, tool, traceparent: span?.traceparent ?? traceparent, failure, totalMs: 0 };
  const record = recordOf(newCourse(ports.clock.now(), bytesIn), ended);
  ports.record(record);
  span?.end(record);
}

function tooLong({ definition: { limits } }: ServedInterface): CallFailure {
  return new CallFailure("limit", `timeoutSeconds: the call took more than ${limits.timeoutSeconds} s`);
}

function countOfRun({ served: { definition: { limits } }, run }: CallContext): void {
  if (limits.maxCallsPerRun > 0 && run.calls >= limits.maxCallsPerRun) {
    throw new CallFailure(
      "limit",
      `maxCallsPerRun: a run may make ${limits.maxCallsPerRun} calls of this service`,
    );
  }
  run.calls++;
}

/** Tries the selected bindings in order; only `unavailable` moves on to the next (contract S.18). */
async function onBindings(context: CallContext, request: CallRequest, course: Course): Promise<CallSuccess> {
  let last: unknown;
  for (const name of context.caller.selection(context.served.definition.id)) {
    course.tried = name;
    try {
      return await onInstance(context, request, course, name);
    } catch (error) {
      last = error;
    }
    if (last instanceof NotReached) {
      try {
        return await restarted(context, request, course, last);
      } catch (error) {
        last = error;
      }
    }
    if (!isUnavailable(last) || request.cancellation.reason) throw last;
    request.pieces?.void();
  }
  throw last ?? unavailable("no provider is chosen for this service", "no binding is selected");
}

/** A connector that died a moment ago may still count as running: a call that does not reach it starts it again. */
async function restarted(
  context: CallContext,
  request: CallRequest,
  course: Course,
  { instance, refused }: NotReached,
): Promise<CallSuccess> {
  await context.instances.notReached(instance, refused);
  return await onInstance(context, request, course, course.tried);
}

async function onInstance(
  context: CallContext,
  request: CallRequest,
  course: Course,
  name: string,
): Promise<CallSuccess> {
  if (context.caller.privacy === "local") refuseRemote(context.instances.bindingOf(name));
  const lease = context.instances.ready(name) ??
    await cancellable(context.instances.acquire(name), request.cancellation);
  try {
    course.startMs += lease.startMs;
    course.binding = lease.instance.binding;
    const places = request.tool.files?.(request.arguments) ?? NO_PLACES;
    if (places.length > 0) return await withFiles(context, request, course, lease, places);
    return await asked(context, request, course, lease, request.argumentsText);
  } finally {
    lease[Symbol.dispose]();
  }
}

const NO_PLACES: readonly FilePlace[] = [];

async function withFiles(
  context: CallContext,
  request: CallRequest,
  course: Course,
  lease: Lease,
  places: readonly FilePlace[],
): Promise<CallSuccess> {
  const { limits, errors } = context.served.definition;
  await using staged = await stageFiles(
    {
      scope: context.caller.scope,
      folder: lease.instance.files,
      maxFileBytes: limits.maxFileBytes,
      maxOutputBytes: limits.maxOutputBytes,
      tooLarge: errors.too_large,
    },
    request.arguments,
    places,
  );
  course.bytesIn += staged.bytesIn;
  const result = await asked(context, request, course, lease, JSON.stringify(staged.arguments));
  course.bytesOut += await staged.deliver();
  return result;
}

/** A start goes on for others when this caller gives up; a lease that comes too late is given back. */
function cancellable(acquiring: Promise<Lease>, cancellation: Cancellation): Promise<Lease> {
  cancellation.throwIfCancelled();
  return new Promise((resolve, reject) => {
    cancellation.onCancel(() => {
      reject(cancellation.reason);
      acquiring.then((lease) => lease[Symbol.dispose](), () => {});
    });
    acquiring.finally(() => cancellation.forget()).then(resolve, reject);
  });
}

/** Before anything of the connector runs (contract S.18). */
function refuseRemote({ name, egress }: ResolvedBinding): void {
  if (egress.length === 0) return;
  throw unavailable("no local provider is available", `privacy is local and binding ${name} has egress`);
}

async function asked(
  context: CallContext,
  { tool, traceparent, onProgress, pieces, cancellation }: CallRequest,
  course: Course,
  lease: Lease,
  argumentsText: string,
): Promise<CallSuccess> {
  const { ports } = context, { clock } = ports;
  const from = clock.monotonic();
  let until = from, message: Message;
  try {
    const upstream = openUpstream(context, lease) ?? await connected(context, lease);
    const inPieces = pieces !== undefined;
    const call = { tool: tool.name, argumentsText, traceparent, onProgress, inPieces, cancellation };
    const { progressSeconds: seconds } = context.served.definition.limits;
    message =
      await (seconds === 0 ? upstream.call(call) : callUnlessSilent(upstream, call, { clock, seconds }));
  } finally {
    until = clock.monotonic();
    course.upstreamMs += until - from;
    course.hosts = mergedHosts(course.hosts, ports.hostsSince(lease.instance.sandbox.name, from));
  }
  course.units = unitsOf(message);
  const result = readResult(context.served, tool, message, (text) => ports.redact(text));
  course.validateMs += clock.monotonic() - until;
  course.bytesOut += result.structured.length;
  return result;
}

function openUpstream({ connections }: CallContext, { instance: { socket } }: Lease): Upstream | undefined {
  const known = connections.get(socket);
  return known instanceof Upstream && known.isOpen ? known : undefined;
}

/** One connection per caller and instance, however many calls come first: what breaks it breaks no other caller's. */
async function connected(context: CallContext, lease: Lease): Promise<Upstream> {
  const { connections } = context, { socket } = lease.instance;
  for (let known = connections.get(socket); known; known = connections.get(socket)) {
    const upstream = await known;
    if (upstream.isOpen) return upstream;
    if (connections.get(socket) === known) connections.delete(socket);
  }
  const fresh = connect(context, lease);
  connections.set(socket, fresh);
  return await fresh;
}

async function connect({ connections, served }: CallContext, { instance }: Lease): Promise<Upstream> {
  const { socket } = instance;
  try {
    const upstream = await Upstream.connect(socket, served.definition.limits.maxMessageBytes, 10_000);
    connections.set(socket, upstream);
    void upstream.closed.then(() => connections.get(socket) === upstream && connections.delete(socket));
    return upstream;
  } catch (error) {
    connections.delete(socket);
    const why = `the connector takes no connection: ${errorText(error)}`;
    if (error instanceof HandlerError) throw unavailable(UNAVAILABLE_TEXT, why); // too slow, but there
    throw new NotReached(instance, !(error instanceof CallFailure), why);
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

function mergedHosts(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? known : [...new Set([...known, ...more])];
}

/** Whatever was thrown, as something the caller may see; details of our own stay in the log and the record. */
function asFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  const detail = error instanceof HandlerError ? `${error.kind}: ${error.message}` : "an internal error";
  return unavailable(UNAVAILABLE_TEXT, detail);
}
