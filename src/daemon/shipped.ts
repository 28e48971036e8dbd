import { HandlerError } from "../base/mod.ts";
import { carriedPack, isCompiled, readTextIfThere, shippedFolder, unpack } from "../platform/mod.ts";

/** Where the things that ship with Handler are, as folders of the disk that a sandbox can mount. */
export interface Shipped {
  readonly interfaces: string;
  readonly connectors: string;
  /** Addons, a folder each; `miniapp/template` is what a new app is a copy of. */
  readonly addons: string;
  /** Bundled guest programs: `boot.js`, `kit.js`, … */
  readonly guest: string;
  /** Bundled connectors, a folder each. */
  readonly connectorBuilds: string;
  /** The desk's page as it is served. */
  readonly page: string;
}

/**
 * Finds what ships with Handler. The compiled program carries it inside, where no sandbox can look, so what sandboxes
 * mount is unpacked once per build, whole or not at all, and what older builds left is removed.
 */
export async function findShipped(dataFolder: string): Promise<Shipped> {
  const root = isCompiled ? await unpack(await carriedPack(), `${dataFolder}/shipped`) : undefined;
  const folder = (name: string) => root === undefined ? shippedFolder(name) : `${root}/${name}`;
  const build = folder("build");
  if (await readTextIfThere(`${build}/manifest.json`) === undefined) {
    throw new HandlerError("not_found", "the guest programs and connectors are not built", {
      hint: "run `deno task prepare` in the checkout",
    });
  }
  return {
    interfaces: folder("interfaces"),
    connectors: folder("connectors"),
    addons: folder("addons"),
    guest: `${build}/guest`,
    connectorBuilds: `${build}/connectors`,
    page: folder("ui/dist"),
  };
}
