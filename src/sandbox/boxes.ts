import { join } from "node:path";
import { HandlerError } from "../base/mod.ts";
import {
  ensureFolder,
  readTextIfThere,
  removeAll,
  statIfThere,
  writeAtomic,
  writePlain,
} from "../platform/mod.ts";
import type { EgressListen } from "./egress/sockets.ts";
import { INSIDE } from "./inside.ts";

/** The folder of one sandbox on the host, in the runtime folder: made before it starts, gone when it has ended. */
export interface Box {
  readonly folder: string;
  /** The egress sockets. */
  readonly egress: string;
  /** Files for `/etc`, by their path inside. */
  readonly etc: Readonly<Record<string, string>>;
}

/** Makes and removes boxes below one folder. */
export class Boxes {
  readonly #root: string;
  readonly #claimed = new Set<string>();
  /** The bundle of certificate authorities; undefined where there is none. */
  readonly authorities: () => Promise<string | undefined>;

  constructor(options: { readonly root: string; readonly authorities: () => Promise<string | undefined> }) {
    this.#root = options.root;
    this.authorities = options.authorities;
  }

  /** The folder that a sandbox of this name has or would have. */
  folder(name: string): string {
    return join(this.#root, name);
  }

  egressFolder(name: string): string {
    return join(this.folder(name), "egress");
  }

  async make(name: string, listens: readonly EgressListen[]): Promise<Box> {
    const folder = this.folder(name);
    const etc = join(folder, "etc");
    await ensureFolder(etc);
    const files = Object.entries(etcFiles(name, listens));
    const [authorities] = await Promise.all([
      this.authorities(),
      ...files.map(([file, text]) => writePlain(join(etc, file), text)),
    ]);
    return {
      folder,
      egress: this.egressFolder(name),
      etc: {
        ...Object.fromEntries(files.map(([file]) => [`/etc/${file}`, join(etc, file)])),
        ...(authorities ? { [INSIDE.authorities]: authorities } : {}),
      },
    };
  }

  /**
   * Takes a name for a sandbox of this daemon until its box is removed.
   *
   * @throws {HandlerError} `conflict` when a running sandbox has it.
   */
  claim(name: string): void {
    if (this.#claimed.has(name)) {
      throw new HandlerError("conflict", `a sandbox named ${name} runs already`);
    }
    this.#claimed.add(name);
  }

  async remove(name: string): Promise<void> {
    await removeAll(this.folder(name));
    this.#claimed.delete(name);
  }
}

function etcFiles(name: string, listens: readonly EgressListen[]): Record<string, string> {
  const { uid, gid } = INSIDE;
  const named = listens.filter(({ host, listen }) => host !== listen && !/^[\d.]+$|:/.test(host));
  const hosts = [...new Set(named.map(({ host, listen }) => `${listen} ${host}`))];
  return {
    passwd: `root:x:0:0::/:/bin/false\nhandler:x:${uid}:${gid}::/tmp:/bin/sh\n`,
    group: `root:x:0:\nhandler:x:${gid}:\n`,
    hosts: ["127.0.0.1 localhost", "::1 localhost", `127.0.0.1 ${name}`, ...hosts, ""].join("\n"),
    "resolv.conf": "# no name server: there is no network\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  };
}

/** Where systems keep their certificate authorities. */
export const HOST_BUNDLES: readonly string[] = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * The bundle of authorities that sandboxes trust: the host's own, or a copy of it with a person's extra file behind.
 * Undefined where the machine has none and none was given.
 */
export async function authorityBundle(
  extraFile: string | undefined,
  copyTo: string,
): Promise<string | undefined> {
  const host = await firstThere(HOST_BUNDLES);
  if (extraFile === undefined) return host;
  const parts = await Promise.all([host, extraFile].map((file) => file ? readTextIfThere(file) : ""));
  await writeAtomic(copyTo, parts.filter(Boolean).join("\n"), 0o644);
  return copyTo;
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await statIfThere(path)) return path;
  return undefined;
}
