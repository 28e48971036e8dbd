import { request } from "node:http";
import { ensureFolder, listFolder, statIfThere, writeAtomic } from "../../src/platform/mod.ts";
import { type BenchDaemon, type HandlerProgram, startHandlerd } from "../router/daemon.ts";
import { headOf, type Target } from "./line.ts";

/** A daemon of the bench with apps, and what a signed-in browser knows. */
export interface AppDesk extends AsyncDisposable {
  readonly daemon: BenchDaemon;
  readonly apps: string;
  /** Lays the source of a hello app, registers and deploys it. */
  hello(name: string): Promise<Visitor>;
  /** Deploys what lies in an app's source. */
  deploy(name: string): Promise<void>;
  /** Signs in to an app that is deployed. */
  visit(name: string): Promise<Visitor>;
  /** The sockets of the backends that run. */
  sockets(): Promise<readonly string[]>;
}

/** What a signed-in browser sends. */
export interface Visitor {
  readonly target: Target;
  head(path: string): string;
}

/** The smallest backend; the bare engine runs the same file. */
export const HELLO =
  `Deno.serve({ path: Deno.env.get("HANDLER_APP_SOCKET"), onListen() {} }, () => new Response("hello"));
`;

/** Starts a daemon that serves apps on a free port. */
export async function startDesk(
  root: string,
  options: {
    readonly program: HandlerProgram;
    readonly driver: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<AppDesk> {
  const folders = { config: `${root}/c`, data: `${root}/d`, state: `${root}/s`, runtime: `${root}/r` };
  await ensureFolder(folders.config);
  await writeAtomic(`${folders.config}/config.toml`, 'apiVersion = "handler.config/v1"\n');
  const env = { ...options.env, HANDLER_PORT: "0" };
  const daemon = await startHandlerd(folders, { ...options, env });
  const { client } = daemon;
  const deploy = async (name: string) => {
    const { hash } = await client.appPlan(name);
    const { deployed, log } = await client.appDeploy(name, hash, () => {});
    if (!deployed) throw new Error(`${name} was not deployed: ${log}`);
  };
  const visit = (name: string) => signIn(daemon, name);
  return {
    daemon,
    apps: `${root}/apps`,
    deploy,
    visit,
    async hello(name) {
      await client.appAdd(await layHello(`${root}/apps/${name}`, name, "0.1.0"));
      await deploy(name);
      return await visit(name);
    },
    sockets: async () => {
      const runs = (await listFolder(`${folders.runtime}/a`)).map(({ name }) =>
        `${folders.runtime}/a/${name}/app.sock`
      );
      const there = await Promise.all(runs.map(statIfThere));
      return runs.filter((_, at) => there[at]?.isSocket);
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

/** Writes the source of a hello app. */
export async function layHello(folder: string, name: string, version: string): Promise<string> {
  const manifest =
    `apiVersion = "handler.miniapp/v1"\nname = "${name}"\nversion = "${version}"\ndescription = "Says hello"\n`;
  for (const part of ["server", "ui/dist"]) await ensureFolder(`${folder}/${part}`);
  await writeAtomic(`${folder}/app.toml`, manifest);
  await writeAtomic(`${folder}/server/main.ts`, HELLO);
  await writeAtomic(`${folder}/ui/dist/index.html`, "<!doctype html><title>Hello</title><p>Hello\n");
  return folder;
}

async function signIn({ client }: BenchDaemon, name: string): Promise<Visitor> {
  const { host, origin, pathname, hash, port: text } = new URL((await client.appLink(name, "owner")).url);
  const port = Number(text), token = hash.slice(1);
  const cookie = await new Promise<string>((resolve, reject) => {
    const headers = { host, origin, "content-length": token.length };
    const asked = request(
      { host: "127.0.0.1", port, method: "POST", path: pathname, headers, agent: false },
      (answer) => {
        answer.resume();
        const [given] = answer.headers["set-cookie"] ?? [];
        if (given) resolve(given.split(";")[0]!);
        else reject(new Error(`the link of ${name} was not taken: ${answer.statusCode}`));
      },
    );
    asked.on("error", reject).end(token);
  });
  return {
    target: { port, host: "127.0.0.1" },
    head: (path) => headOf(path, { Host: host, Cookie: cookie }),
  };
}
