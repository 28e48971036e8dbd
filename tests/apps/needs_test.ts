import assert from "node:assert/strict";
import type { DriverName } from "../../src/sandbox/mod.ts";
import { fromFileUrl } from "../../src/platform/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import type { SystemHome } from "../system/home.ts";
import { addApp, deployApp, openApp, startDaemon } from "./daemon.ts";
import { CI, missingDriver } from "./drivers.ts";
import { backend, notes } from "./small_app.ts";

const IMAGE = fromFileUrl(new URL("../fixtures/ocr/turned.jpg", import.meta.url));

function onDriver(driver: DriverName, name: string, test: (home: SystemHome) => Promise<void>): void {
  const missing = missingDriver(driver);
  Deno.test({
    name: `${driver}: ${name}${missing ? ` (${missing})` : ""}`,
    ignore: missing !== undefined && !CI,
    async fn() {
      await using home = await startDaemon(driver);
      await test(home);
    },
  });
}

const READER = backend(
  `
  if (pathname === "/api/read") {
    await Deno.writeFile(data + "/page.jpg", new Uint8Array(await request.arrayBuffer()));
    return await callService("ocr_extract", { path: "page.jpg" }).then(
      ({ pages }) => Response.json({ text: pages[0].text }),
      ({ code, message }) => Response.json({ code, message }),
    );
  }
`,
  `import { callService } from "./vendor/handler_app.js";
const data = Deno.env.get("HANDLER_APP_DATA");`,
);

for (const driver of ["bubblewrap", "podman"] as const) {
  onDriver(
    driver,
    "an app calls ocr/v1 through the router, and nothing that it did not ask for",
    async (home) => {
      await home.write("bindings/scan.toml", 'connector = "ocr-tesseract"\ndescription = "local"\n');
      await home.client.reload();
      const source = await addApp(home, {
        name: "reader",
        server: READER,
        manifest: '[needs]\nservices = ["ocr/v1"]',
      });
      await Deno.mkdir(`${source}/server/vendor`);
      await Deno.copyFile(`${ROOT}/build/guest/app_kit.js`, `${source}/server/vendor/handler_app.js`);
      const { unsettled } = await home.client.appPlan("reader");
      assert.deepEqual(unsettled, ["no provider is chosen for ocr/v1"]);
      await assert.rejects(
        deployApp(home, "reader"),
        /cannot be deployed yet: no provider is chosen for ocr\/v1/,
      );
      await home.client.appSettle("reader", { secrets: {}, files: {}, services: { ocr: ["scan"] } });
      await deployApp(home, "reader");
      const page = await openApp(home, "reader");
      const answer = await page.ask({ method: "POST", path: "/api/read", body: await Deno.readFile(IMAGE) });
      assert.match(JSON.parse(answer.text).text ?? answer.text, /\w{4,}/);
      const calls = await home.client.calls({ limit: 10 });
      assert.deepEqual(calls.map(({ caller, tool }) => [caller, tool]), [["app:reader", "ocr_extract"]]);

      const plain = await addApp(home, { name: "plain", server: READER });
      await Deno.mkdir(`${plain}/server/vendor`);
      await Deno.copyFile(`${ROOT}/build/guest/app_kit.js`, `${plain}/server/vendor/handler_app.js`);
      await deployApp(home, "plain");
      const refused = await (await openApp(home, "plain")).ask({
        method: "POST",
        path: "/api/read",
        body: "x",
      });
      assert.equal(JSON.parse(refused.text).code, "unavailable");
    },
  );
}

const FILES = backend(
  `
  const path = Deno.env.get("HANDLER_FILES_" + pathname.split("/")[3]);
  const done = (work) => { try { return String(work()); } catch (error) { return error.name; } };
  if (pathname.startsWith("/api/read/")) return new Response(done(() => Deno.readTextFileSync(path + "/a.txt")));
  if (pathname.startsWith("/api/write/")) {
    return new Response(done(() => Deno.writeTextFileSync(path + "/b.txt", "from the app")));
  }
`,
);

for (const driver of ["bubblewrap", "podman"] as const) {
  onDriver(driver, "an app reads and writes the folders that its person chose, as it asked", async (home) => {
    for (const name of ["music", "inbox"]) {
      await Deno.mkdir(`${home.path}/${name}`);
      await Deno.writeTextFile(`${home.path}/${name}/a.txt`, `in ${name}`);
      await Deno.chmod(`${home.path}/${name}`, 0o777);
    }
    const manifest = '[needs.files]\nmusic = "ro"\ninbox = "rw"';
    await addApp(home, { name: "files", server: FILES, manifest });
    await assert.rejects(deployApp(home, "files"), /no folder is chosen for music/);
    const files = { music: `${home.path}/music`, inbox: `${home.path}/inbox` };
    await home.client.appSettle("files", { secrets: {}, files, services: {} });
    await deployApp(home, "files");
    const page = await openApp(home, "files");
    const text = async (path: string) => (await page.ask({ path })).text;
    assert.equal(await text("/api/read/MUSIC"), "in music");
    assert.equal(await text("/api/read/INBOX"), "in inbox");
    assert.match(await text("/api/write/MUSIC"), /NotCapable|PermissionDenied|ReadOnly|Error/);
    assert.equal(await text("/api/write/INBOX"), "undefined");
    assert.equal(await Deno.readTextFile(`${home.path}/inbox/b.txt`), "from the app");
    await assert.rejects(Deno.stat(`${home.path}/music/b.txt`));
  });
}

onDriver(
  "bubblewrap",
  "a secret is in the app's environment, and in no log, command line or registry",
  async (home) => {
    const secret = `canary-${crypto.randomUUID()}`;
    await Deno.writeTextFile(`${home.path}/secret`, secret);
    await Deno.chmod(`${home.path}/secret`, 0o600);
    const server = backend('if (pathname === "/api/say") return new Response(Deno.env.get("API_KEY"));');
    await addApp(home, { name: "keeper", server, manifest: '[needs]\nsecrets = ["API_KEY"]' });
    await home.client.appSettle("keeper", {
      secrets: { API_KEY: `file:${home.path}/secret` },
      files: {},
      services: {},
    });
    await deployApp(home, "keeper");
    const page = await openApp(home, "keeper");
    assert.equal((await page.ask({ path: "/api/say" })).text, secret);
    const everything = await new Deno.Command("grep", {
      args: [
        "-rl",
        secret,
        `${home.path}/state`,
        `${home.path}/data`,
        `${home.path}/config`,
        `${home.path}/home`,
      ],
    }).output();
    assert.equal(new TextDecoder().decode(everything.stdout), "");
    for (const { name } of Deno.readDirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const argv = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
      assert.ok(!argv.includes(secret));
    }
  },
);

onDriver(
  "bubblewrap",
  "a restart of handlerd loses nothing: data, cookie, settings, and an open window goes on",
  async (home) => {
    const port = await freePort();
    home.env.HANDLER_PORT = `${port}`;
    await home.stop("SIGTERM");
    await home.start();
    await addApp(home, { name: "notes", server: notes() });
    await deployApp(home, "notes");
    const page = await openApp(home, "notes");
    await page.ask({ method: "POST", path: "/api/notes", body: "one" });
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await home.stop(signal);
      await assert.rejects(page.ask({}));
      await home.start();
      assert.equal((await page.ask({})).status, 200);
      assert.deepEqual(JSON.parse((await page.ask({ path: "/api/notes" })).text), ["one"]);
    }
  },
);

function freePort(): Promise<number> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return Promise.resolve(port);
}
