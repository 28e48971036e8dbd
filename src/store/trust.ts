import type { Clock } from "../base/mod.ts";
import type { Database, Row } from "../platform/mod.ts";
import { storing } from "./failure.ts";
import { number, text } from "./rows.ts";

/** What a person can trust: an interface version (`notes/v1`) or a connector of their own folder. */
export type TrustKind = "interface" | "connector";

/** A hash that a person has looked at and accepted (contract S.20). */
export interface TrustPin {
  readonly kind: TrustKind;
  readonly name: string;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly pinnedAt: number;
}

/** The person's pins. */
export interface TrustRepository {
  /** Pins a hash in place of an earlier one. */
  pin(kind: TrustKind, name: string, hash: string): TrustPin;
  get(kind: TrustKind, name: string): TrustPin | undefined;
  /** Whether the pin is there and is this very hash: a changed file asks again. */
  isTrusted(kind: TrustKind, name: string, hash: string): boolean;
  list(): readonly TrustPin[];
  /** Returns whether there was one. */
  remove(kind: TrustKind, name: string): boolean;
}

/** The repository over an open database. */
export function trustRepository(db: Database, clock: Clock): TrustRepository {
  const get = (kind: TrustKind, name: string) =>
    storing("reading the trusted hashes", () => {
      const row = db.get("SELECT * FROM trust WHERE kind = ? AND name = ?", kind, name);
      return row && toPin(row);
    });
  return {
    pin(kind, name, hash) {
      const pin = { kind, name, hash, pinnedAt: Math.round(clock.now()) };
      const sql = "INSERT OR REPLACE INTO trust (kind, name, hash, pinned_at) VALUES (?, ?, ?, ?)";
      storing(`trusting ${name}`, () => db.run(sql, kind, name, hash, pin.pinnedAt));
      return pin;
    },
    get,
    isTrusted: (kind, name, hash) => get(kind, name)?.hash === hash,
    list: () =>
      storing(
        "reading the trusted hashes",
        () => db.all("SELECT * FROM trust ORDER BY kind, name").map(toPin),
      ),
    remove: (kind, name) =>
      storing(
        `no longer trusting ${name}`,
        () => db.run("DELETE FROM trust WHERE kind = ? AND name = ?", kind, name).changes > 0,
      ),
  };
}

function toPin(row: Row): TrustPin {
  return {
    kind: text(row, "kind") as TrustKind,
    name: text(row, "name"),
    hash: text(row, "hash"),
    pinnedAt: number(row, "pinned_at"),
  };
}
