import { type Clock, hex, utf8 } from "../../base/mod.ts";
import type { RawHeader } from "../../platform/mod.ts";
import { valuesOf } from "./host.ts";

const LINK_MS = 2 * 60_000;
const COOKIE_DAYS = 30;
const MOST_KNOWN = 256;

/** Whom a link or a cookie of the desk is for, in an app's place; no app can be called so. */
export const DESK = "@desk";

/** Who is behind a cookie. */
export interface Visitor {
  readonly person: string;
}

/**
 * One-time links and the cookies they set (contract H.2). A link is good for 2 minutes and one use; a cookie is bound to
 * the app, or the desk, the person and this home's key, so that a cookie is worth nothing at another origin than its own.
 */
export class OriginSessions {
  readonly #clock: Clock;
  readonly #key: CryptoKey;
  readonly #good = new Set<string>();
  readonly #links = new Map<
    string,
    { readonly app: string; readonly person: string; readonly until: number }
  >();

  private constructor(clock: Clock, key: CryptoKey) {
    this.#clock = clock;
    this.#key = key;
  }

  /** @param secret 32 bytes that this home keeps */
  static async make(clock: Clock, secret: Uint8Array<ArrayBuffer>): Promise<OriginSessions> {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
      "verify",
    ]);
    return new OriginSessions(clock, key);
  }

  /** A new link's token for an app, or {@linkcode DESK}, and a person. */
  link(app: string, person: string): string {
    for (const [token, { until }] of this.#links) if (until <= this.#clock.now()) this.#links.delete(token);
    const token = hex(crypto.getRandomValues(new Uint8Array(24)));
    this.#links.set(token, { app, person, until: this.#clock.now() + LINK_MS });
    return token;
  }

  /** Uses a link up. @returns the header that sets the cookie, or undefined where the link is not good */
  async spend(app: string, token: string): Promise<RawHeader | undefined> {
    const link = this.#links.get(token);
    this.#links.delete(token);
    if (!link || link.app !== app || link.until <= this.#clock.now()) return undefined;
    const until = Math.floor(this.#clock.now() / 1000) + COOKIE_DAYS * 86_400;
    const value = `${until}.${link.person}.${await this.#sign(app, link.person, until)}`;
    const attributes = `Path=/; Max-Age=${COOKIE_DAYS * 86_400}; HttpOnly; SameSite=Strict`;
    return ["set-cookie", `${cookieName(app)}=${value}; ${attributes}`];
  }

  /** Who a request comes from; a wrong or doubled cookie is nobody's. */
  async visitor(app: string, headers: readonly RawHeader[]): Promise<Visitor | undefined> {
    const name = `${cookieName(app)}=`;
    const given = valuesOf(headers, "cookie").flatMap((text) => text.split(";")).map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length));
    // a page of another app can toss a cookie of this name at this origin: the one that verifies counts
    for (const value of given.slice(0, 8)) {
      const [until = "", person = "", signature = ""] = value.split(".");
      if (Number(until) * 1000 <= this.#clock.now()) continue;
      if (await this.#isGood(app, value, signature, signed(app, person, Number(until)))) return { person };
    }
    return undefined;
  }

  /** A cookie that was good stays good until it is too old. */
  async #isGood(
    app: string,
    value: string,
    signature: string,
    text: Uint8Array<ArrayBuffer>,
  ): Promise<boolean> {
    const known = `${app} ${value}`;
    if (this.#good.has(known)) return true;
    if (!await this.#verifies(signature, text)) return false;
    if (this.#good.size >= MOST_KNOWN) this.#good.clear();
    this.#good.add(known);
    return true;
  }

  /** In a time that does not tell how much of a signature is right. */
  async #verifies(signature: string, text: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (!/^[0-9a-f]{64}$/.test(signature)) return false;
    const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    return await crypto.subtle.verify("HMAC", this.#key, bytes, text);
  }

  async #sign(app: string, person: string, until: number): Promise<string> {
    return hex(new Uint8Array(await crypto.subtle.sign("HMAC", this.#key, signed(app, person, until))));
  }
}

/** Cookies have no port and no scheme of their own, so the name says whose it is. */
function cookieName(app: string): string {
  return app === DESK ? "handler-desk" : "handler-app";
}

/** What a cookie's signature is over. */
function signed(app: string, person: string, until: number): Uint8Array<ArrayBuffer> {
  return utf8(JSON.stringify([app, person, until]));
}
