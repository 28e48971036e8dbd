import { dirname, join } from "node:path";
import { DENO_VERSION, HandlerError, RUNTIME_IMAGE } from "../../base/mod.ts";
import {
  copyFile,
  ensureFolder,
  findProgram,
  readTextIfThere,
  removeQuietly,
  run,
  setMode,
  temporaryFolder,
  writePlain,
} from "../../platform/mod.ts";
import { HOST_BUNDLES } from "../boxes.ts";
import { inspectDeno } from "../host_deno.ts";
import { INSIDE } from "../inside.ts";
import { findPodman, lastLine, type PodmanCli } from "./cli.ts";
import { LOCAL_IMAGE } from "./setup.ts";

/** Which images for sandboxes there are. */
export interface ImageStatus {
  /** The images that would serve, the first that is there is taken. */
  readonly wanted: readonly string[];
  readonly present: readonly string[];
}

/** Says which of the images that would serve are on this machine; `named` is the configuration's, which serves alone. */
export async function imageStatus(options: { readonly named: string | undefined }): Promise<ImageStatus> {
  const cli = await findPodman();
  const wanted = options.named === undefined ? [RUNTIME_IMAGE, LOCAL_IMAGE] : [options.named];
  const present: string[] = [];
  for (const image of wanted) {
    if ((await cli.call(["image", "exists", image])).code === 0) present.push(image);
  }
  return { wanted, present };
}

/**
 * Fetches the pinned image, or the one that is named.
 *
 * @returns its name
 * @throws {HandlerError} `unavailable` with what podman said.
 */
export async function pullImage(options: { readonly named: string | undefined }): Promise<string> {
  const cli = await findPodman();
  const image = options.named ?? RUNTIME_IMAGE;
  const { code, stderr } = await cli.call(["pull", "--quiet", image], { timeoutMs: 15 * 60_000 });
  if (code === 0) return image;
  throw new HandlerError("unavailable", `the image ${image} could not be pulled: ${lastLine(stderr)}`, {
    hint: "run `handler image build` to make an equal one from the Deno on this machine",
  });
}

/**
 * Makes the runtime image from a Deno of this machine: the program, the libraries it loads, certificate authorities, a
 * user, and nothing else (contract A.5).
 *
 * @returns the image's name, {@linkcode LOCAL_IMAGE}
 * @throws {HandlerError} `conflict` when the Deno is not of the pinned version.
 */
export async function buildImage(options: { readonly deno: string | undefined }): Promise<string> {
  const cli = await findPodman();
  const deno = await inspectDeno(options.deno, { libraries: true });
  if (deno.version !== DENO_VERSION) {
    throw new HandlerError(
      "conflict",
      `the image holds Deno ${DENO_VERSION}, the one on this machine is ${deno.version}`,
      {
        hint: `install Deno ${DENO_VERSION}, or name one in HANDLER_DENO`,
      },
    );
  }
  const root = await temporaryFolder("handler-image-");
  try {
    await setMode(root, 0o755);
    await placeFile(deno.path, join(root, "bin/deno"), 0o755);
    for (const { path, file } of deno.libraries) await placeFile(file, join(root, path), 0o755);
    await placeRest(root);
    await importFolder(cli, root);
  } finally {
    await removeQuietly(root);
  }
  return LOCAL_IMAGE;
}

async function placeRest(root: string): Promise<void> {
  const { uid, gid, authorities } = INSIDE;
  for (const folder of ["proc", "sys", "dev", "run", "tmp", "opt/handler", "etc/ssl/certs"]) {
    await ensureFolder(join(root, folder), 0o755);
  }
  await setMode(join(root, "tmp"), 0o1777);
  const files = {
    [authorities]: await hostAuthorities(),
    "/etc/passwd": `root:x:0:0::/:/bin/false\nhandler:x:${uid}:${gid}::/tmp:/bin/false\n`,
    "/etc/group": `root:x:0:\nhandler:x:${gid}:\n`,
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  };
  for (const [path, text] of Object.entries(files)) {
    await writePlain(join(root, path), text);
    await setMode(join(root, path), 0o644);
  }
}

async function hostAuthorities(): Promise<string> {
  for (const path of HOST_BUNDLES) {
    const text = await readTextIfThere(path);
    if (text) return text;
  }
  return "";
}

async function placeFile(from: string, to: string, mode: number): Promise<void> {
  await ensureFolder(dirname(to), 0o755);
  await copyFile(from, to);
  await setMode(to, mode);
}

/** Every folder and file is root's, whoever builds; the daemon's own umask must not close folders to the user inside. */
async function importFolder(cli: PodmanCli, root: string): Promise<void> {
  const tar = await findProgram("tar");
  if (!tar) {
    throw new HandlerError("unavailable", "making the image needs the program tar", { hint: "install tar" });
  }
  const script =
    `"$1" -C "$2" --owner=0 --group=0 --numeric-owner --mode=go+rX -cf - . | "$3" import --quiet ` +
    `--change 'ENTRYPOINT ["/bin/deno"]' --change 'ENV PATH=/bin' - "$4"`;
  const argv = ["/bin/sh", "-c", script, "handler-image", tar, root, cli.program, LOCAL_IMAGE];
  const { code, stderr } = await run(argv, { env: cli.env, timeoutMs: 5 * 60_000 });
  if (code !== 0) throw new HandlerError("unavailable", `podman import failed: ${lastLine(stderr)}`);
}
