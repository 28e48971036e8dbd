import { HandlerError, newId, sha256Hex, utf8 } from "../base/mod.ts";
import {
  copyTree,
  ensureFolder,
  isCompiled,
  listFolder,
  readTextIfThere,
  removeQuietly,
  rename,
  shippedFolder,
  statIfThere,
} from "../platform/mod.ts";

/** Where the things that ship with Handler are, as folders of the disk that a sandbox can mount. */
export interface Shipped {
  readonly interfaces: string;
  readonly connectors: string;
  /** Bundled guest programs: `boot.js`, `kit.js`, … */
  readonly guest: string;
  /** Bundled connectors, a folder each. */
  readonly connectorBuilds: string;
}

/**
 * Finds what ships with Handler. The compiled program carries it inside, where no sandbox can look, so what sandboxes
 * mount is copied out once per build, whole or not at all, and older copies are removed.
 */
export async function findShipped(dataFolder: string): Promise<Shipped> {
  const inside = shippedFolder("build");
  const manifest = await readTextIfThere(`${inside}/manifest.json`);
  if (manifest === undefined) {
    throw new HandlerError("not_found", "the guest programs and connectors are not built", {
      hint: "run `deno task prepare` in the checkout",
    });
  }
  const build = isCompiled ? await unpacked(inside, manifest, `${dataFolder}/shipped`) : inside;
  return {
    interfaces: shippedFolder("interfaces"),
    connectors: shippedFolder("connectors"),
    guest: `${build}/guest`,
    connectorBuilds: `${build}/connectors`,
  };
}

async function unpacked(inside: string, manifest: string, into: string): Promise<string> {
  const name = (await sha256Hex(utf8(manifest))).slice(0, 16);
  const target = `${into}/${name}`;
  if (!await statIfThere(target)) {
    const fresh = `${into}/${newId()}.new`;
    await ensureFolder(fresh, 0o755);
    await copyTree(inside, fresh);
    await rename(fresh, target);
  }
  for (const other of await listFolder(into)) {
    if (other.name !== name) await removeQuietly(`${into}/${other.name}`);
  }
  return target;
}
