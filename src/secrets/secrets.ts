import { type Clock, errorText, HandlerError, type Logger, singleFlight, utf8 } from "../base/mod.ts";
import { env } from "../platform/mod.ts";
import { fromCommand } from "./command.ts";
import { fromFile } from "./file.ts";
import { findKeyring } from "./keyring.ts";
import { type RedactingStream, redactingStream } from "./redacting_stream.ts";
import { Redactor } from "./redactor.ts";
import type { Found, SecretReference } from "./reference.ts";
import { MIN_REDACTED } from "./spellings.ts";
import { type StoredSecret, storedSecrets } from "./stored.ts";
import { secretValue } from "./value.ts";

/** A value for as long as somebody needs it. It is known to the redactor until it is released, and a minute longer. */
export interface SecretLease extends Disposable {
  readonly value: string;
  release(): void;
}

/** References to values, at the last moment; and the redactor that keeps values out of logs (contract F). */
export interface Secrets {
  /**
   * The value behind a reference.
   *
   * @throws {HandlerError} `unavailable`, naming the slot and why there is no value; never a part of one.
   */
  resolve(reference: SecretReference, slot: string): Promise<SecretLease>;
  /** Keeps a value under a name, in place of an earlier one. The value follows the rule of `resolve`. */
  set(name: string, bytes: Uint8Array): Promise<StoredSecret>;
  /** What is kept, by name, without values. */
  list(): Promise<readonly StoredSecret[]>;
  /** Forgets what is kept under a name; whether there was something. */
  remove(name: string): Promise<boolean>;
  /** The text with `[secret:<slot>]` in place of every living value, in any of its spellings. */
  redact(text: string): string;
  /** The same for a text that comes in pieces. */
  redactStream(): RedactingStream;
}

/** What {@linkcode createSecrets} needs. */
export interface SecretsOptions {
  /** The data folder; stored secrets lie in `secrets` below it. */
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** `auto` keeps new secrets in the desktop's keyring where there is one; `never` always takes files. */
  readonly keyring: "auto" | "never";
}

/** Secrets of one Handler. */
export function createSecrets(options: SecretsOptions): Secrets {
  const { dataFolder, clock, log } = options;
  const redactor = new Redactor(clock);
  const keyring = singleFlight(() => findKeyring(clock, dataFolder));
  const stored = storedSecrets({
    folder: `${dataFolder}/secrets`,
    keyring: () => options.keyring === "auto" ? keyring() : Promise.resolve(undefined),
    log,
  });
  const look = (reference: SecretReference, slot: string): Promise<Found> => {
    switch (reference.kind) {
      case "command":
        return fromCommand(reference.argv, clock);
      case "file":
        return fromFile(reference.path, slot, log);
      case "env":
        return Promise.resolve(fromEnv(reference.name));
      case "store":
        return stored.find(reference.name);
    }
  };
  return {
    async resolve(reference, slot) {
      const value = valueFor(slot, await look(reference, slot));
      if (value.length < MIN_REDACTED) {
        log.log("warn", "a secret is too short to be taken out of logs", { slot });
      }
      return lease(value, redactor.hold(value, slot));
    },
    set: stored.set,
    list: stored.list,
    remove: stored.remove,
    redact: (text) => redactor.redact(text),
    redactStream: () => redactingStream(redactor),
  };
}

function fromEnv(name: string): Found {
  const value = env(name);
  return value === undefined ? { why: `the variable ${name} is not set or empty` } : { bytes: utf8(value) };
}

function valueFor(slot: string, found: Found): string {
  if ("why" in found) throw noValue(slot, found.why, found.hint);
  try {
    return secretValue(found.bytes);
  } catch (error) {
    throw noValue(slot, errorText(error), error instanceof HandlerError ? error.hint : undefined);
  }
}

function noValue(slot: string, why: string, hint: string | undefined): HandlerError {
  const details = { where: { key: `secrets.${slot}` }, ...(hint === undefined ? {} : { hint }) };
  return new HandlerError("unavailable", `the secret for the slot ${slot} has no value: ${why}`, details);
}

function lease(value: string, release: () => void): SecretLease {
  return { value, release, [Symbol.dispose]: release };
}
