import assert from "node:assert/strict";
import { DENO_VERSION } from "../../src/base/mod.ts";
import { denoOf, OLDEST_DENO } from "../../tools/denos.ts";
import { addApp, deployApp } from "../apps/daemon.ts";
import { askPort, rawAsk, statusesIn } from "../apps/ask.ts";
import { layHome } from "../system/home.ts";
import { type SignedIn, signIn, spend, type Wire, wireText } from "./signed_in.ts";

/** What an attacker has. */
interface Place {
  readonly own: SignedIn;
  /** A good cookie of an app, and its origin. */
  readonly app: Omit<SignedIn, "port">;
}

/** The connection is closed without an answer. */
const CLOSED = 0;

/** What is tried, how, and the statuses that may come of it. */
type Row = readonly [what: string, wire: (place: Place) => Wire, ...statuses: readonly number[]];

const put = { method: "PUT", target: "/v1/secrets/evil", body: "evil" } as const;
const post = { method: "POST", target: "/v1/reload" } as const;

const ROWS: readonly Row[] = [
  // who asks
  ["no cookie", () => ({ cookies: [] }), 401],
  ["a change without a cookie", () => ({ ...put, cookies: [] }), 401],
  ["an app's cookie", ({ app }) => ({ cookies: [app.cookie] }), 401],
  [
    "an app's cookie by the desk's name",
    ({ app }) => ({ cookies: [renamed(app.cookie, "handler-desk")] }),
    401,
  ],
  [
    "the desk's cookie by an app's name",
    ({ own }) => ({ cookies: [renamed(own.cookie, "handler-app")] }),
    401,
  ],
  [
    "another person's name in the cookie",
    ({ own }) => ({ cookies: [own.cookie.replace("owner", "alice")] }),
    401,
  ],
  ["a longer life in the cookie", ({ own }) => ({ cookies: [own.cookie.replace("=1", "=2")] }), 401],
  ["a cookie that goes on", ({ own }) => ({ cookies: [`${own.cookie}0`] }), 401],
  ["a cookie in upper case", ({ own }) => ({ cookies: [own.cookie.toUpperCase()] }), 401],
  [
    "the cookie as a bearer",
    ({ own }) => ({ cookies: [], more: [`Authorization: Bearer ${own.cookie}`] }),
    401,
  ],
  ["the cookie in the address", ({ own }) => ({ cookies: [], target: `/v1/status?${own.cookie}` }), 401],
  ["a person's header", () => ({ cookies: [], more: ["X-Handler-Person: owner"] }), 401],
  // whose page asks
  ["a read for another site", () => ({ more: ["Sec-Fetch-Site: cross-site"] }), 403],
  ["a read for an app", () => ({ more: ["Sec-Fetch-Site: same-site"] }), 403],
  [
    "a read that is both",
    () => ({ more: ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"] }),
    403,
  ],
  ["a read with another Origin", () => ({ origins: ["http://evil.example"] }), 403],
  ["a read with the Origin null", () => ({ origins: ["null"] }), 403],
  ["a read as a script", () => ({ more: ["Sec-Fetch-Dest: script", "Sec-Fetch-Site: same-origin"] }), 403],
  ["a read as a style", () => ({ more: ["Sec-Fetch-Dest: style", "Sec-Fetch-Site: same-origin"] }), 403],
  [
    "a read as a worker",
    () => ({ more: ["Sec-Fetch-Dest: serviceworker", "Sec-Fetch-Site: same-origin"] }),
    403,
  ],
  ["a read as a frame", () => ({ more: ["Sec-Fetch-Dest: iframe", "Sec-Fetch-Site: same-origin"] }), 403],
  ["a change without an Origin", () => ({ ...put, origins: [] }), 403],
  ["a change with the Origin null", () => ({ ...put, origins: ["null"] }), 403],
  ["a change with an empty Origin", () => ({ ...put, origins: [""] }), 403],
  ["a change with two Origins", ({ own }) => ({ ...put, origins: [own.origin, own.origin] }), 403],
  [
    "a change with the Origin joined",
    ({ own }) => ({ ...put, origins: [`${own.origin}, ${own.origin}`] }),
    403,
  ],
  ["a change with an app's Origin", ({ app }) => ({ ...put, origins: [app.origin] }), 403],
  [
    "a change with an app's Origin first",
    ({ app, own }) => ({ ...put, origins: [app.origin, own.origin] }),
    403,
  ],
  [
    "a change with another port",
    ({ own }) => ({ ...put, origins: [`http://localhost:${own.port + 1}`] }),
    403,
  ],
  ["a change with no port", () => ({ ...put, origins: ["http://localhost"] }), 403],
  ["a change with https", ({ own }) => ({ ...put, origins: [own.origin.replace("http", "https")] }), 403],
  [
    "a change with the address's Origin",
    ({ own }) => ({ ...put, origins: [`http://127.0.0.1:${own.port}`] }),
    403,
  ],
  ["a change with a slash", ({ own }) => ({ ...put, origins: [`${own.origin}/`] }), 403],
  ["a change for another site", () => ({ ...put, more: ["Sec-Fetch-Site: cross-site"] }), 403],
  [
    "a change with a Referer alone",
    ({ own }) => ({ ...put, origins: [], more: [`Referer: ${own.origin}/`] }),
    403,
  ],
  [
    "a form",
    () => ({ ...post, origins: [], more: ["Content-Type: application/x-www-form-urlencoded"] }),
    403,
  ],
  ["a preflight", () => ({ method: "OPTIONS", origins: ["http://evil.example"] }), 403],
  [
    "a preflight of one's own",
    () => ({ method: "OPTIONS", more: ["Access-Control-Request-Method: PUT"] }),
    405,
  ],
  // what is asked
  ["a method in a header", () => ({ target: put.target, more: ["X-HTTP-Method-Override: PUT"] }), 405],
  ["a method in the address", () => ({ target: `${put.target}?_method=PUT` }), 405],
  ["a method in lower case", () => ({ ...put, method: "put", origins: [] }), 400, 403],
  ["a method that there is not", () => ({ method: "FETCH" }), 400, 405],
  ["TRACE", () => ({ method: "TRACE" }), 405],
  ["CONNECT", ({ own }) => ({ method: "CONNECT", target: own.host }), CLOSED, 400, 403, 405, 421],
  ["a way out of the path", () => ({ target: "/v1/../v1/status" }), 403],
  ["a way out with a backslash", () => ({ target: "/v1/x\\..\\status" }), 400, 403],
  ["a control character", () => ({ target: "/v1/status%00" }), 403],
  // at which address
  ["no Host", () => ({ hosts: [] }), 400, 421],
  ["another site's Host", ({ own }) => ({ hosts: [`evil.example:${own.port}`] }), 421],
  ["a rebinding Host", ({ own }) => ({ hosts: [`localhost.evil.example:${own.port}`] }), 421],
  ["the Host of all addresses", ({ own }) => ({ hosts: [`0.0.0.0:${own.port}`] }), 421],
  ["the Host of IPv6", ({ own }) => ({ hosts: [`[::1]:${own.port}`] }), 421],
  ["the Host's address", ({ own }) => ({ hosts: [`127.0.0.1:${own.port}`] }), 421],
  ["a change at the Host's address", ({ own }) => ({ ...put, hosts: [`127.0.0.1:${own.port}`] }), 421],
  ["a Host without a port", () => ({ hosts: ["localhost"] }), 421],
  ["a Host with another port", ({ own }) => ({ hosts: [`localhost:${own.port + 1}`] }), 421],
  ["a Host with a dot", ({ own }) => ({ hosts: [`localhost.:${own.port}`] }), 421],
  ["a Host in upper case", ({ own }) => ({ hosts: [`LOCALHOST:${own.port}`] }), 421],
  ["a Host with a user", ({ own }) => ({ hosts: [`owner@localhost:${own.port}`] }), 400, 421],
  ["two Hosts", ({ own }) => ({ hosts: [own.host, own.host] }), 400, 421],
  ["an app's Host, the desk's cookie", ({ app }) => ({ hosts: [app.host] }), 401],
  ["the Host of the control socket", () => ({ hosts: ["handlerd"] }), 421],
];

function renamed(cookie: string, name: string): string {
  return `${name}=${cookie.slice(cookie.indexOf("=") + 1)}`;
}

for (const version of [DENO_VERSION, OLDEST_DENO]) {
  Deno.test(`what must not reach the API through the desk does not, on Deno ${version}`, async (t) => {
    await using home = await layHome({ deno: await denoOf(version) });
    await home.start();
    await addApp(home, { name: "notes" });
    await deployApp(home, "notes");
    const own = await signIn(home);
    const place = { own, app: await spend((await home.client.appLink("notes", "owner")).url) };
    const ask = (wire: Wire) => rawAsk(own.port, wireText(own, wire));
    for (const [what, wire, ...statuses] of ROWS) {
      await t.step(what, async () => {
        const got = await ask(wire(place));
        const [status = CLOSED] = statusesIn(got);
        assert.ok(statuses.includes(status), `${status}: ${got.slice(0, 300)}`);
        assert.doesNotMatch(got, /memoryBytes/);
        assert.doesNotMatch(got, /access-control-allow/i);
      });
    }
    await t.step("nothing of it changed anything", async () => {
      assert.deepEqual(await home.client.secrets(), []);
    });
    await t.step("what the page itself asks is answered", async () => {
      const same = ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: empty"];
      for (const more of [[], same, ["Sec-Fetch-Site: none", "Sec-Fetch-Dest: document"]]) {
        assert.match(await ask({ more }), /^HTTP\/1\.1 200 [^]*memoryBytes/);
      }
      assert.deepEqual(statusesIn(await ask({ ...put, more: same })), [204]);
      assert.deepEqual((await home.client.secrets()).map(({ name }) => name), ["evil"]);
    });
  });
}

Deno.test("the desk is there before there is any app, opens once a link, and stays open over a restart", async () => {
  await using home = await layHome();
  await home.start();
  const { url } = await home.client.deskLink();
  const link = new URL(url), port = Number(link.port);
  const page = await askPort(port, { path: link.pathname, headers: { host: link.host } });
  assert.deepEqual([page.status, /<script>/.test(page.text)], [200, true]);
  const { host, origin, cookie } = await spend(url);
  await assert.rejects(spend(url), /403 this link is used up or too old/);
  home.env.HANDLER_PORT = link.port;
  await home.stop("SIGTERM");
  await home.start();
  const answer = await askPort(port, { path: "/v1/status", headers: { host, origin, cookie } });
  assert.equal(answer.status, 200);
  const out = await askPort(port, { path: "/inbox/3", headers: { host } });
  assert.deepEqual([out.status, /handler open/.test(out.text)], [401, true]);
});

Deno.test("127.0.0.1 leads to localhost, and only pages", async () => {
  await using home = await layHome();
  await home.start();
  const { port, cookie } = await signIn(home);
  const at = (path: string, method = "GET") =>
    askPort(port, { method, path, headers: { host: `127.0.0.1:${port}`, cookie } });
  for (const path of ["/", "/threads/x?from=3", "/_handler/open", "//evil.example/"]) {
    const { status, headers } = await at(path);
    assert.deepEqual([status, headers.location], [308, `http://localhost:${port}${path}`]);
  }
  for (
    const [path, method] of [["/v1/status", "GET"], ["/", "POST"], ["/v1", "GET"], ["/_handler/open", "POST"]]
  ) {
    assert.equal((await at(path!, method)).status, 421, path);
  }
});

Deno.test("a port that is taken is told, and the rest of the daemon works", async () => {
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using home = await layHome();
  home.env.HANDLER_PORT = `${other.addr.port}`;
  await home.start();
  const { desk } = await home.client.status();
  assert.equal(desk.problem, `the port ${other.addr.port} is taken by another program`);
  await assert.rejects(home.client.deskLink(), { kind: "conflict" });
  assert.match(await home.output(), /neither the desk nor apps are served: the port \d+ is taken/);
  const told = (await home.client.doctor()).find(({ name }) => name === "page");
  assert.deepEqual([told?.state, /handler open/.test(told?.hint ?? "")], ["failed", true]);
  other.close();
  assert.match((await home.client.deskLink()).url, new RegExp(`^http://localhost:${other.addr.port}/`));
  assert.equal((await home.client.status()).desk.problem, null);
});
