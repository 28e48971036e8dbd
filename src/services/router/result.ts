import { isObject } from "../../base/mod.ts";
import type { SchemaProblem } from "../../schema/mod.ts";
import type { Message } from "../../wire/mod.ts";
import type { Interface } from "../interface.ts";
import { CallFailure, declaredFailure, unavailable, UNAVAILABLE_TEXT } from "./failure.ts";
import type { ServedInterface, ServedTool } from "./ports.ts";

/** The result of a call as JSON texts. */
export interface CallSuccess {
  /** The structured content, as the connector wrote it. */
  readonly structured: string;
  /** The same as bytes, where it is long: they are handed on without being read again. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The connector's answer, checked: a success whose structured content matches the schema, or an error of the closed list
 * (seeds S2, S3). Nothing else of the answer reaches the caller.
 */
export function readResult(
  { definition }: ServedInterface,
  tool: ServedTool,
  message: Message,
  redact: (text: string) => string,
): CallSuccess {
  const { result, payload } = message;
  if (!isObject(result)) throw unavailable(UNAVAILABLE_TEXT, "the connector answered with a protocol error");
  if (result.isError === true) throw connectorFailure(definition.errors, result, redact);
  if (!payload || !isObject(result.structuredContent)) {
    throw unavailable(UNAVAILABLE_TEXT, "the connector's result has no structured content");
  }
  const fault = tool.checkOutput(result.structuredContent);
  if (fault) throw unavailable(UNAVAILABLE_TEXT, outputFault(result.structuredContent, fault));
  const { maxOutputBytes } = definition.limits;
  if (payload.size > maxOutputBytes) {
    throw new CallFailure("limit", `maxOutputBytes: the result has more than ${maxOutputBytes} bytes`);
  }
  return { structured: payload.text, bytes: payload.bytes };
}

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

function connectorFailure(
  errors: Interface["errors"],
  result: { readonly [key: string]: unknown },
  redact: (text: string) => string,
): CallFailure {
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
  return declaredFailure(errors, body.error, body.message, redact);
}

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;
const UNIT_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,31}$/;

const NO_UNITS: Readonly<Record<string, number>> = {};

/** What the connector counted, also in a call that failed: names and numbers, nothing else. */
export function unitsOf({ result }: Message): Readonly<Record<string, number>> {
  const meta = isObject(result) ? result._meta : undefined;
  const units = isObject(meta) ? meta["handler/units"] : undefined;
  if (!isObject(units)) return NO_UNITS;
  const fit = Object.entries(units).filter(([name, count]) => {
    return UNIT_NAME.test(name) && typeof count === "number" && Number.isFinite(count) && count >= 0;
  });
  return Object.fromEntries(fit.slice(0, 16)) as Record<string, number>;
}
