import assert from "node:assert/strict";
import { delay } from "../../base/mod.ts";
import type { Desktop } from "./desktop.ts";
import { openWindow } from "./open.ts";

const LINK = "http://notes.localhost:7430/_handler/open#t0ken";

interface Scene {
  readonly root: string;
  readonly desktop: Desktop;
  /** Puts a program on the search path that notes its words. */
  program(name: string, exit?: number): Promise<string>;
  /** The words that a program was started with. */
  words(name: string): Promise<readonly string[]>;
}

async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  const desktop = {
    os: "linux",
    path: `${root}/bin`,
    home: `${root}/home`,
    dataFolder: `${root}/data`,
    graphical: true,
  };
  await Deno.mkdir(desktop.path);
  try {
    await work({
      root,
      desktop,
      async program(name, exit = 0) {
        const path = `${desktop.path}/${name}`;
        const script =
          `#!/bin/sh\nprintf '%s\\n' "$@" >"${root}/words.new"\nmv "${root}/words.new" "${root}/${name}.words"\nexit ${exit}\n`;
        await Deno.writeTextFile(path, script, { mode: 0o755 });
        return path;
      },
      async words(name) {
        for (;;) { // a slow machine may have let the program go before it wrote
          const text = await Deno.readTextFile(`${root}/${name}.words`).catch(() => "");
          if (text !== "") return text.trimEnd().split("\n");
          await delay(20);
        }
      },
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const asked = { link: LINK, browser: undefined, now: 1_700_000_000_000 };

/** The page that a browser was started with, by its `file:` address. */
async function page(address: string): Promise<string> {
  return await Deno.readTextFile(new URL(address));
}

Deno.test("Firefox comes first, with a profile that reaches apps alone", () =>
  scene(async ({ desktop, program, words }) => {
    for (const name of ["firefox", "chromium", "xdg-open"]) await program(name);
    assert.deepEqual(await openWindow(desktop, asked), { browser: "firefox", closed: true });
    const profile = `${desktop.dataFolder}/window/firefox`;
    const [option, folder, how, address = ""] = await words("firefox");
    assert.deepEqual([option, folder, how], ["--profile", profile, "--new-window"]);
    const preferences = await Deno.readTextFile(`${profile}/user.js`);
    for (
      const line of [
        'user_pref("media.peerconnection.enabled", false);',
        'user_pref("network.dns.disablePrefetch", true);',
        'user_pref("network.proxy.type", 2);',
        'user_pref("network.proxy.allow_hijacking_localhost", true);',
      ]
    ) assert.ok(preferences.includes(line + "\n"), line);
    assert.match(await Deno.readTextFile(`${profile}/chrome/userChrome.css`), /#nav-bar/);
    assert.ok(address.startsWith(`file://${profile}/open-`), address);
    assert.ok((await page(address)).includes(`content="0;url=${LINK}"`));
    assert.equal((await Deno.stat(new URL(address))).mode! & 0o777, 0o600);
  }));

/** What the profile of Firefox says of addresses. */
async function proxyOf(profile: string): Promise<(url: string, host: string) => string> {
  const preferences = await Deno.readTextFile(`${profile}/user.js`);
  const url = JSON.parse(/autoconfig_url", (.*)\);/.exec(preferences)?.[1] ?? '""');
  return new Function(`${decodeURIComponent(url.slice(url.indexOf(",") + 1))}; return FindProxyForURL;`)();
}

Deno.test("the window of the desk has profiles of its own, which reach the desk and the apps", () =>
  scene(async ({ desktop, program, words }) => {
    for (const name of ["firefox", "chromium"]) await program(name);
    const link = "http://localhost:7430/_handler/open#t0ken/inbox";
    assert.deepEqual(await openWindow(desktop, { ...asked, link }), { browser: "firefox", closed: true });
    const profile = `${desktop.dataFolder}/window/firefox-desk`;
    assert.equal((await words("firefox"))[1], profile);
    const find = await proxyOf(profile);
    for (const good of ["http://localhost:7430/v1/status", "http://notes.localhost:7430/"]) {
      assert.equal(find(good, ""), "DIRECT", good);
    }
    const bad = [
      "http://localhost:7431/",
      "http://evil.example/",
      "http://localhost:74300/",
      "http://.localhost:7430/",
    ];
    for (
      const one of [...bad, "http://xlocalhost:7430/", "https://localhost:7430/", "http://127.0.0.1:7430/"]
    ) {
      assert.equal(find(one, ""), "PROXY 127.0.0.1:9", one);
    }
    await openWindow(desktop, { ...asked, link, browser: "chromium" });
    const flags = await words("chromium");
    assert.ok(flags.includes(`--user-data-dir=${desktop.dataFolder}/window/chromium-desk`));
    assert.ok(flags.includes("--proxy-bypass-list=<-loopback>;*.localhost:7430;localhost:7430"));
  }));

Deno.test("the proxy script of Firefox lets the apps' own addresses through and nothing else", () =>
  scene(async ({ desktop, program }) => {
    await program("firefox-esr");
    await openWindow(desktop, asked);
    const find = await proxyOf(`${desktop.dataFolder}/window/firefox`);
    for (
      const good of [
        "http://notes.localhost:7430/",
        "ws://notes.localhost:7430/api/x",
        "http://a-b.localhost:7430?x",
      ]
    ) {
      assert.equal(find(good, ""), "DIRECT", good);
    }
    for (
      const bad of [
        "https://evil.example/",
        "http://notes.localhost:7431/",
        "http://notes.localhost:74300/",
        "http://localhost:7430/",
        "http://127.0.0.1:7430/",
        "http://evil.example/?http://notes.localhost:7430/",
        "http://notes.localhost:7430@evil.example/",
        "http://notes.localhost:7430.evil.example/",
        "http://user@notes.localhost:7430/",
        "https://notes.localhost:7430/",
      ]
    ) assert.equal(find(bad, ""), "PROXY 127.0.0.1:9", bad);
  }));

Deno.test("else Chromium, in its app mode", () =>
  scene(async ({ desktop, program, words }) => {
    for (const name of ["chromium-browser", "xdg-open"]) await program(name);
    assert.deepEqual(await openWindow(desktop, asked), { browser: "chromium", closed: true });
    const [app = "", ...flags] = await words("chromium-browser");
    const profile = `${desktop.dataFolder}/window/chromium`;
    assert.ok(app.startsWith(`--app=file://${profile}/open-`), app);
    assert.ok((await page(app.slice("--app=".length))).includes(LINK));
    for (
      const flag of [
        `--user-data-dir=${profile}`,
        "--proxy-bypass-list=<-loopback>;*.localhost:7430",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--dns-prefetch-disable",
      ]
    ) assert.ok(flags.includes(flag), flag);
  }));

Deno.test("else the usual browser, with the link itself", () =>
  scene(async ({ desktop, program, words }) => {
    await program("xdg-open");
    assert.deepEqual(await openWindow(desktop, asked), { browser: "default", closed: false });
    assert.deepEqual(await words("xdg-open"), [LINK]);
    await program("open");
    assert.equal((await openWindow({ ...desktop, os: "darwin" }, asked)).browser, "default");
    assert.deepEqual(await words("open"), [LINK]);
  }));

Deno.test("the browser that is asked for is taken, or said to be missing", () =>
  scene(async ({ desktop, program, words }) => {
    for (const name of ["firefox", "chromium"]) await program(name);
    assert.equal((await openWindow(desktop, { ...asked, browser: "chromium" })).browser, "chromium");
    assert.match((await words("chromium"))[0] ?? "", /^--app=/);
    await assert.rejects(
      openWindow(desktop, { ...asked, browser: "default" }),
      /there is no default browser/,
    );
  }));

Deno.test("a browser that does not start, none at all and no desktop are told, with the way out", () =>
  scene(async ({ desktop, program }) => {
    const rejected = (one: Desktop) =>
      assert.rejects(openWindow(one, asked), { kind: "unavailable", hint: /--print/ });
    await rejected(desktop);
    await program("firefox", 1);
    await assert.rejects(openWindow(desktop, asked), /the firefox browser ended with 1/);
    await rejected({ ...desktop, graphical: false });
  }));

Deno.test("a browser that is a snap gets its profile where it can see it", () =>
  scene(async ({ desktop, program, words }) => {
    await Deno.writeTextFile(await program("firefox"), "# exec /snap/bin/firefox\n", { append: true });
    await openWindow(desktop, asked);
    assert.equal((await words("firefox"))[1], `${desktop.home}/snap/firefox/common/handler-apps`);
  }));

Deno.test("pages of earlier windows are removed, those of now stay", () =>
  scene(async ({ desktop, program }) => {
    await program("firefox");
    const profile = `${desktop.dataFolder}/window/firefox`;
    const now = Date.now();
    await openWindow(desktop, { ...asked, now });
    await openWindow(desktop, { ...asked, now });
    const pages = () => [...Deno.readDirSync(profile)].filter(({ name }) => name.startsWith("open-")).length;
    assert.equal(pages(), 2);
    await openWindow(desktop, { ...asked, now: now + 600_000 });
    assert.equal(pages(), 1);
  }));
