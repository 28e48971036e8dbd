/**
 * References to secrets, resolved at the last moment, and the redactor that keeps values out of logs (contract F).
 * @module
 */
export type { SecretReference } from "./reference.ts";
export type { SecretLease, Secrets, SecretsOptions } from "./secrets.ts";
export { createSecrets } from "./secrets.ts";
export type { StoredSecret } from "./stored.ts";
export type { RedactingStream } from "./redacting_stream.ts";
export { COMMAND_LIMIT_MS } from "./command.ts";
export { MAX_SECRET_BYTES, VALUE_RULE } from "./value.ts";
