import { newId } from "../../src/base/mod.ts";
import {
  ensureFolder,
  env,
  findProgram,
  removeQuietly,
  run,
  start,
  writeAtomic,
} from "../../src/platform/mod.ts";
import { imageStatus } from "../../src/sandbox/mod.ts";
import { inspectLibraries } from "./libraries.ts";
import { HELLO } from "./desk.ts";
import { headOf, untilAnswered } from "./line.ts";

/** A way to run the hello app without Handler: each call starts it anew and gives the milliseconds to its first answer. */
export interface Engine extends AsyncDisposable {
  wake(): Promise<number>;
}

const FLAGS = [
  "run",
  "--no-prompt",
  "--quiet",
  "--cached-only",
  "--no-config",
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--allow-write",
];
const HEAD = headOf("/api/health", { Host: "a", Connection: "close" });

async function layApp(root: string): Promise<string> {
  await ensureFolder(root, 0o755);
  await writeAtomic(`${root}/main.ts`, HELLO, 0o644);
  return root;
}

/** Deno itself, confined by its own permissions alone. */
export async function plainDeno(root: string): Promise<Engine> {
  const app = await layApp(`${root}/app`);
  return processEngine(root, (folder) => ({
    argv: [Deno.execPath(), ...FLAGS, `${app}/main.ts`],
    env: { HANDLER_APP_SOCKET: `${folder}/s`, HOME: folder, DENO_NO_UPDATE_CHECK: "1" },
    socket: `${folder}/s`,
  }));
}

/** Bubblewrap around Deno with nothing more than it needs. */
export async function bareBubblewrap(root: string): Promise<Engine> {
  const app = await layApp(`${root}/app`);
  const libraries = await inspectLibraries(Deno.execPath());
  return processEngine(root, (folder) => ({
    argv: [
      ...["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
      ...[
        "--ro-bind",
        Deno.execPath(),
        "/bin/deno",
        ...libraries.flatMap((path) => ["--ro-bind", path, path]),
      ],
      ...[
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--ro-bind",
        app,
        "/app",
        "--bind",
        folder,
        "/run/app",
      ],
      ...["--clearenv", "--setenv", "HOME", "/tmp", "--setenv", "DENO_NO_UPDATE_CHECK", "1"],
      ...["--setenv", "HANDLER_APP_SOCKET", "/run/app/s", "/bin/deno", ...FLAGS, "/app/main.ts"],
    ],
    env: {},
    socket: `${folder}/s`,
  }));
}

interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly socket: string;
}

function processEngine(root: string, make: (folder: string) => Started): Engine {
  return {
    async wake() {
      const folder = `${root}/${newId().slice(-8)}`;
      await ensureFolder(folder);
      const { argv, env: own, socket } = make(folder);
      const from = performance.now();
      const child = start(argv, {
        env: { ...own, PATH: env("PATH") ?? "" },
        stdin: "null",
        stdout: "null",
        stderr: "null",
      });
      const ms = await untilAnswered({ path: socket }, HEAD, from);
      child.kill("SIGKILL");
      await child.status;
      await removeQuietly(folder);
      return ms;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A container that was created ahead of time, of the image that Handler uses; `wake` is its start. */
export async function barePodman(root: string, own: Readonly<Record<string, string>>): Promise<Engine> {
  const app = await layApp(`${root}/app`);
  const image = (await imageStatus({ named: undefined })).present[0];
  if (!image) throw new Error("there is no image");
  const podman = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(["podman", ...args], { inheritEnv: true, env: own });
    if (code !== 0) throw new Error(`podman ${args[0]}: ${stderr}`);
    return stdout.trim();
  };
  return {
    async wake() {
      const folder = `${root}/${newId().slice(-8)}`;
      await ensureFolder(folder);
      await Deno.chmod(folder, 0o777);
      const id = await podman(
        ...["create", "--network=none", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges"],
        ...["--log-driver=none", "-v", `${app}:/app:ro`, "-v", `${folder}:/run/app`, "--tmpfs", "/tmp"],
        ...["-e", "HANDLER_APP_SOCKET=/run/app/s", "-e", "HOME=/tmp", "-e", "DENO_NO_UPDATE_CHECK=1"],
        ...["--entrypoint", "deno", image, ...FLAGS, "/app/main.ts"],
      );
      const from = performance.now();
      await podman("start", id);
      const ms = await untilAnswered({ path: `${folder}/s` }, HEAD, from);
      await podman("rm", "-f", "-t", "0", id);
      await removeQuietly(folder);
      return ms;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Where smallweb is, that is looked for on the path and where `go install` puts it. */
export async function findSmallweb(): Promise<string | undefined> {
  return await findProgram("smallweb") ?? await findProgram("smallweb", `${env("HOME") ?? ""}/go/bin`);
}

/** smallweb with as many apps as it will be woken: each is cold at its first request. */
export async function smallweb(program: string, root: string, most: number): Promise<Engine> {
  const port = freePort();
  for (let at = 0; at < most; at++) {
    await ensureFolder(`${root}/a${at}`, 0o755);
    await writeAtomic(
      `${root}/a${at}/main.ts`,
      'export default { fetch: () => new Response("hello") };\n',
      0o644,
    );
  }
  await ensureFolder(`${root}/.smallweb`, 0o755);
  await writeAtomic(`${root}/.smallweb/config.json`, '{ "domain": "localhost" }');
  const argv = [program, "up", "--dir", root, "--domain", "localhost", "--addr", `127.0.0.1:${port}`];
  const child = start(argv, { inheritEnv: true, stdin: "null", stdout: "null", stderr: "null" });
  await new Promise((later) => setTimeout(later, 1500));
  let next = 0;
  return {
    wake() {
      const head = headOf("/", { Host: `a${next++}.localhost`, Connection: "close" });
      return untilAnswered({ port, host: "127.0.0.1" }, head, performance.now());
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
