/**
 * What is tried against apps: one small file an attack, in the folder of where it comes from. Each must fail; what a
 * browser cannot be kept from outside of Handler's own window is said by the attack itself, and in `docs/security.md`.
 * @module
 */
import type { Desk } from "../desk.ts";

/** Bytes sent to the port of the apps' origins as they are. */
export interface SocketAttack {
  readonly from: "socket";
  /** What it does, in words. */
  readonly what: string;
  /** The raw request; `app` is an app that is installed and `cookie` a good one. */
  request(place: { readonly port: number; readonly app: string; readonly cookie: string }): string;
  /** The statuses that may come back; an empty list stands for a connection that is closed without one. */
  readonly statuses: readonly number[];
}

/** JavaScript in a real browser, as the page of an installed app or of another site. */
export interface PageAttack {
  readonly from: "app page" | "other site";
  readonly what: string;
  /**
   * The body of an async function of `sink` (`http://127.0.0.1:<port>/…`, where whatever arrives is a leak), `host` (its
   * host and port), `udp` (`address:port`) and `victim` (the origin of another app that the person is signed in to). It may
   * `report(text)` what it was able to read of the victim.
   */
  readonly script: string;
  /** Whether it begins with a click, as a pop-up has to. */
  readonly click?: boolean;
  /** Browsers with a plain profile that let it through; Handler's own windows let nothing through. */
  readonly plainLeak?: readonly BrowserName[];
  /** Browsers with a plain profile that may connect before they ask the policy, and then send nothing. */
  readonly plainConnects?: readonly BrowserName[];
}

/** A server of somebody else's at another port of this machine: cookies do not know ports, so the jar is shared. */
export interface PortAttack {
  readonly from: "other port";
  readonly what: string;
  /** `Set-Cookie` lines, at the app's own name; `others` is a good cookie of another app. */
  cookies(others: string): readonly string[];
  /** What may come of it: at worst the person has to open the app again. */
  readonly mayBe: readonly ("owner" | "signed out")[];
}

/** An app whose backend is hostile. */
export interface BackendAttack {
  readonly from: "backend";
  readonly what: string;
  /** Source of `server/main.ts`. */
  readonly server: string;
  /** Tries it on a desk where `evil` is deployed, with another app `victim` beside it. */
  attempt(desk: Desk): Promise<void>;
}

/** Browsers that attacks run in. */
export type BrowserName = "chromium" | "firefox";

/** All attacks of one folder here, by file name. */
export async function attacksIn<T>(folder: string): Promise<readonly (readonly [name: string, attack: T])[]> {
  const at = new URL(`./${folder}/`, import.meta.url);
  const names = [...Deno.readDirSync(at)].map(({ name }) => name).filter((name) => name.endsWith(".ts"))
    .sort();
  return await Promise.all(names.map(async (name) => {
    const { attack } = await import(new URL(name, at).href) as { attack: T };
    return [name.replace(/\.ts$/, ""), attack] as const;
  }));
}
