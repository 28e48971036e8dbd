import assert from "node:assert/strict";
import { frontRequest, KeptResponse } from "../../../tests/fakes/front.ts";
import { type Page, servePage } from "./page.ts";
import { SECURITY_HEADERS } from "./policy.ts";

const FILES = {
  "index.html": "<p>page",
  "app.js": "let a = 1;",
  "app.js.br": "brotli",
  "app.js.gz": "gzip",
  "assets/index-DNpJob4-.js": "hashed",
  "assets/my-settings.js": "a word",
  "my-DNpJob4-.js": "not where builds put it",
  "deep/index.html": "<p>deep",
  "empty.txt": "",
  "odd name.TXT": "odd",
  "data.bin": "0123456789",
};

async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "page-" });
  for (const [path, text] of Object.entries(FILES)) {
    await Deno.mkdir(`${folder}/ui/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/ui/${path}`, text);
  }
  await Deno.writeTextFile(`${folder}/secret.txt`, "secret");
  await Deno.symlink("../secret.txt", `${folder}/ui/link.txt`);
  await Deno.symlink("..", `${folder}/ui/up`);
  try {
    await use({ folder: `${folder}/ui`, mark: "m1", policy: SECURITY_HEADERS });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function get(page: Page, ...request: Parameters<typeof frontRequest>): Promise<KeptResponse> {
  const response = new KeptResponse();
  await servePage(page, frontRequest(...request), response);
  return response;
}

Deno.test("files, the page of a folder, and the page for routes of its own", () =>
  withPage(async (page) => {
    const texts = async (path: string) => (await get(page, path)).text;
    assert.equal(await texts("/"), "<p>page");
    assert.equal(await texts("/?x=1"), "<p>page");
    assert.equal(await texts("/deep/"), "<p>deep");
    assert.equal(await texts("/notes/3"), "<p>page");
    assert.equal(await texts("/odd%20name.TXT"), "odd");
    assert.equal((await get(page, "/odd%20name.TXT")).headers["content-type"], "text/plain; charset=utf-8");
    assert.equal((await get(page, "/data.bin")).headers["content-type"], "application/octet-stream");
    assert.equal((await get(page, "/nothing.js")).status, 404);
    const empty = await get(page, "/empty.txt");
    assert.deepEqual([empty.status, empty.headers["content-length"], empty.text], [200, "0", ""]);
  }));

Deno.test("nothing outside the page's folder, and no link", () =>
  withPage(async (page) => {
    const paths = [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/deep/..%2f..%2fsecret.txt",
      "/link.txt",
      "/up/secret.txt",
    ];
    for (const path of [...paths, "//etc/passwd.txt", "/%00", "/%", "/a%0d%0ab", "/..\\secret.txt"]) {
      const { status, text } = await get(page, path);
      assert.ok(status === 400 || status === 404, `${path} gave ${status}`);
      assert.doesNotMatch(text, /secret|root/);
    }
  }));

Deno.test("an ETag for each version and encoding, asked for again with 304", () =>
  withPage(async (page) => {
    const { headers } = await get(page, "/app.js");
    const etag = headers.etag!;
    assert.match(headers["cache-control"]!, /no-cache/);
    assert.equal((await get(page, "/app.js", { "If-None-Match": etag })).status, 304);
    assert.equal((await get(page, "/app.js", { "If-None-Match": `"x", ${etag}` })).status, 304);
    assert.equal((await get({ ...page, mark: "m2" }, "/app.js", { "If-None-Match": etag })).status, 200);
    const br = await get(page, "/app.js", { "Accept-Encoding": "gzip, deflate, br" });
    assert.deepEqual([br.text, br.headers["content-encoding"], br.headers.vary], [
      "brotli",
      "br",
      "accept-encoding",
    ]);
    assert.match(br.headers["content-type"]!, /javascript/);
    assert.notEqual(br.headers.etag, etag);
    assert.equal((await get(page, "/app.js", { "Accept-Encoding": "gzip" })).text, "gzip");
    assert.equal((await get(page, "/app.js", { "Accept-Encoding": "gzip;q=0, br;q=0" })).text, "let a = 1;");
  }));

Deno.test("a route of the page's own gets the page compressed, with the policy of its origin", () =>
  withPage(async (page) => {
    await Deno.writeTextFile(`${page.folder}/index.html.br`, "the page by brotli");
    const own = { ...page, policy: [["content-security-policy", "default-src 'none'"]] as const };
    for (const path of ["/", "/threads/3?from=2"]) {
      const { text, headers } = await get(own, path, { "Accept-Encoding": "br" });
      assert.equal(text, "the page by brotli", path);
      assert.match(headers["content-type"]!, /html/);
      assert.equal(headers["content-security-policy"], "default-src 'none'");
    }
    assert.equal(
      (await get(own, "/nothing.js", {})).headers["content-security-policy"],
      "default-src 'none'",
    );
  }));

Deno.test("only names that a build made of the content are kept for ever", () =>
  withPage(async (page) => {
    const kept = async (path: string) => /immutable/.test((await get(page, path)).headers["cache-control"]!);
    assert.equal(await kept("/assets/index-DNpJob4-.js"), true);
    for (const path of ["/", "/app.js", "/assets/my-settings.js", "/my-DNpJob4-.js"]) {
      assert.equal(await kept(path), false, path);
    }
  }));

Deno.test("one range of a file", () =>
  withPage(async (page) => {
    const range = async (text: string, more: Record<string, string> = {}) => {
      const answer = await get(page, "/data.bin", { Range: text, ...more });
      return [answer.status, answer.headers["content-range"], answer.text];
    };
    assert.deepEqual(await range("bytes=2-4"), [206, "bytes 2-4/10", "234"]);
    assert.deepEqual(await range("bytes=8-"), [206, "bytes 8-9/10", "89"]);
    assert.deepEqual(await range("bytes=-3"), [206, "bytes 7-9/10", "789"]);
    assert.deepEqual(await range("bytes=5-99"), [206, "bytes 5-9/10", "56789"]);
    assert.deepEqual(await range("bytes=10-"), [416, "bytes */10", ""]);
    assert.deepEqual(await range("bytes=4-2"), [416, "bytes */10", ""]);
    for (const whole of ["bytes=0-1,3-4", "items=0-1", "bytes=-", "bytes=a-b"]) {
      assert.deepEqual(await range(whole), [200, undefined, "0123456789"], whole);
    }
    const { etag } = (await get(page, "/data.bin")).headers;
    assert.deepEqual(await range("bytes=2-4", { "If-Range": etag! }), [206, "bytes 2-4/10", "234"]);
    assert.deepEqual(await range("bytes=2-4", { "If-Range": '"old"' }), [200, undefined, "0123456789"]);
  }));

Deno.test("HEAD has no body, other methods and service workers are refused", () =>
  withPage(async (page) => {
    const head = await get(page, "/app.js", {}, "HEAD");
    assert.deepEqual([head.status, head.headers["content-length"], head.text], [200, "10", ""]);
    assert.equal((await get(page, "/app.js", {}, "POST")).status, 405);
    assert.equal((await get(page, "/app.js", { "Service-Worker": "script" })).status, 403);
    for (const path of ["/", "/nothing.js", "/%"]) {
      assert.match((await get(page, path)).headers["content-security-policy"]!, /default-src 'self'/);
    }
  }));
