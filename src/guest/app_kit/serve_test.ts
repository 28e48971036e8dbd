import assert from "node:assert/strict";

const KIT = new URL("./mod.ts", import.meta.url);

const APP = `import { events, serve } from ${JSON.stringify(KIT.href)};
await serve({
  migrations: new URL("./migrations/", import.meta.url),
  routes: {
    "POST /api/slow": async ({ db }) => {
      console.error("asked");
      await new Promise((resolve) => setTimeout(resolve, 300));
      db.run("INSERT INTO t VALUES (1)");
      return "done";
    },
    "GET /api/events": (call) => events(call, () => new Promise(() => {})),
  },
});
`;

interface Started extends AsyncDisposable {
  readonly folder: string;
  readonly child: Deno.ChildProcess;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Waits until the program has printed something. */
  said(text: string): Promise<void>;
}

async function start(migration: string): Promise<Started> {
  const folder = await Deno.makeTempDir({ prefix: "serve-" });
  await Deno.mkdir(`${folder}/migrations`);
  await Deno.writeTextFile(`${folder}/migrations/001_t.sql`, migration);
  await Deno.writeTextFile(`${folder}/main.ts`, APP);
  const socket = `${folder}/run/app.sock`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-config", "--no-lock", `${folder}/main.ts`],
    env: { HANDLER_APP_SOCKET: socket, HANDLER_APP_DATA: `${folder}/data` },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let text = "";
  const reading = (async () => {
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) text += part;
  })();
  const client = Deno.createHttpClient({ proxy: { transport: "unix", path: socket } });
  return {
    folder,
    child,
    fetch: (path, init) => fetch(`http://app${path}`, { ...init, client }),
    async said(wanted) {
      for (;; await new Promise((resolve) => setTimeout(resolve, 10))) if (text.includes(wanted)) return;
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await child.status;
      await reading;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function untilHealthy(app: Started): Promise<void> {
  for (;; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const response = await app.fetch("/api/health").catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
  }
}

Deno.test("SIGTERM ends streams, lets requests finish, and leaves one database file", async () => {
  await using app = await start("CREATE TABLE t (x INTEGER);");
  await untilHealthy(app);
  const stream = await app.fetch("/api/events", { headers: { "x-handler-person": "owner" } });
  const slow = app.fetch("/api/slow", { method: "POST", headers: { "x-handler-person": "owner" } });
  await app.said("asked");
  app.child.kill("SIGTERM");
  assert.equal(await (await slow).json(), "done");
  assert.equal((await app.child.status).code, 0);
  await stream.body?.cancel().catch(() => {});
  assert.deepEqual([...Deno.readDirSync(`${app.folder}/data`)].map(({ name }) => name), ["app.db"]);
});

Deno.test("an app whose migration fails says so and ends", async () => {
  await using app = await start("CREATE TABLE t (x INTEGER;");
  assert.equal((await app.child.status).code, 1);
  await app.said("the app cannot start: the migration 001_t.sql failed");
});
