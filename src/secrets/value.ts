import { HandlerError } from "../base/mod.ts";

/** The largest secret in bytes: what one environment variable can surely carry. */
export const MAX_SECRET_BYTES = 64 * 1024;

/** The rule for values in words. */
export const VALUE_RULE =
  `a secret is 1 to ${MAX_SECRET_BYTES} bytes of UTF-8 text without NUL; one newline at its end is not part of it`;

/**
 * The value that bytes stand for. One newline at the end (LF or CRLF) is taken off, since editors and `echo` add it;
 * newlines inside stay, keys in PEM have them.
 *
 * @throws {HandlerError} `invalid` with the rule that is broken, never with any part of the value.
 */
export function secretValue(bytes: Uint8Array): string {
  if (bytes.length > MAX_SECRET_BYTES + 2) throw broken(`it is larger than ${MAX_SECRET_BYTES} bytes`);
  const value = decode(bytes).replace(/\r?\n$/, "");
  if (value === "") throw broken("it is empty");
  if (value.includes("\0")) throw broken("it holds a NUL");
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw broken("it is not UTF-8 text");
  }
}

function broken(rule: string): HandlerError {
  return new HandlerError("invalid", rule, { hint: VALUE_RULE });
}
