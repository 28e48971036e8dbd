import { dirname } from "node:path";
import {
  copyFile,
  ensureFolder,
  env,
  findProgram,
  homeFolder,
  removeQuietly,
  run,
  temporaryFolder,
  writeAtomic,
} from "../../src/platform/mod.ts";

/** A runtime and limits that work inside other containers and for root, where podman's own choice does not. */
const CAREFUL = `[engine]
runtime = "runc"

[containers]
default_ulimits = ["nofile=1024:4096", "nproc=4096:4096"]
`;

/** Whether podman can run a container, and the variables it needs for that. */
export type PodmanState =
  | { readonly works: true; readonly env: Readonly<Record<string, string>> }
  | { readonly works: false; readonly why: string };

/** Tries podman as it is, then with a careful configuration of our own in the user's cache. */
export async function preparePodman(): Promise<PodmanState> {
  if (!await findProgram("podman")) return { works: false, why: "podman is not on this machine" };
  const root = await smallRoot();
  try {
    if (await tryPodman(root, {}) === undefined) return { works: true, env: {} };
    const config = await writeCarefulConfig();
    const why = await tryPodman(root, { CONTAINERS_CONF: config });
    return why === undefined ? { works: true, env: { CONTAINERS_CONF: config } } : { works: false, why };
  } finally {
    await removeQuietly(root);
  }
}

async function writeCarefulConfig(): Promise<string> {
  const folder = `${env("XDG_CACHE_HOME") ?? homeFolder() + "/.cache"}/handler-tools`;
  await ensureFolder(folder, 0o755);
  await writeAtomic(`${folder}/containers.conf`, CAREFUL, 0o644);
  return `${folder}/containers.conf`;
}

async function tryPodman(root: string, variables: Record<string, string>): Promise<string | undefined> {
  const argv = ["podman", "run", "--rm", "--network=none", "--rootfs", root, "/bin/true"];
  const { code, stderr } = await run(argv, { inheritEnv: true, env: variables, timeoutMs: 60_000 });
  return code === 0 ? undefined : stderr.trim().split("\n").at(-1) ?? `podman run ended with ${code}`;
}

/** A root file system with one program and its libraries, so that nothing has to be pulled. */
async function smallRoot(): Promise<string> {
  const root = await temporaryFolder();
  const program = await findProgram("true") ?? "/bin/true";
  const { stdout } = await run(["ldd", program], { inheritEnv: true });
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  for (const [from, to] of [[program, "/bin/true"], ...libraries.map((path) => [path, path])]) {
    if (!from || !to) continue;
    await ensureFolder(root + dirname(to), 0o755);
    await copyFile(from, root + to);
  }
  return root;
}
