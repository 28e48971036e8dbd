/** What `docs/interfaces.md` shows is held to what the program does. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fromFileUrl, walkFiles } from "../../src/platform/mod.ts";
import { interfaceStub, lintInterface, loadInterfaces, PLATFORM_ERRORS } from "../../src/services/mod.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));
const PAGE = await Deno.readTextFile(`${ROOT}/docs/interfaces.md`);

/** The interface that the page's blocks are, with the one fixture that is no text. */
async function written(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const blocks = [...PAGE.matchAll(/^```\w+ (words\/v1\/\S+)\n([\s\S]*?)^```$/gm)];
  for (const [, path = "", text = ""] of blocks) {
    await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
  await Deno.writeFile(`${folder}/words/v1/conformance/bytes.bin`, new Uint8Array([0, 1, 255]));
  return folder;
}

Deno.test("the page's interface is sound, loads, and makes a stub", async () => {
  const folder = await written();
  assert.deepEqual((await lintInterface(`${folder}/words/v1`)).map(String), []);
  const { interfaces } = await loadInterfaces({ shippedFolder: folder, userFolder: undefined });
  const words = interfaces.get("words/v1")!;
  assert.match(interfaceStub(words, "words-mine", "")["contract.ts"]!, /readonly words: number/);
});

Deno.test("the page's table of limits is what holds when none is written", async () => {
  const folder = await written();
  const file = `${folder}/words/v1/interface.toml`;
  await Deno.writeTextFile(file, (await Deno.readTextFile(file)).replace(/\[limits\][\s\S]*?\n\n/, ""));
  const { interfaces } = await loadInterfaces({ shippedFolder: folder, userFolder: undefined });
  const rows = [...PAGE.matchAll(/^\| `(max\w+|\w+Seconds)` \| ([\d,]+) \|/gm)];
  const table = Object.fromEntries(rows.map(([, name, value]) => [name, Number(value!.replaceAll(",", ""))]));
  assert.deepEqual(table, { ...interfaces.get("words/v1")!.limits });
});

Deno.test("every lint message that the page names is one", async () => {
  const table = PAGE.slice(PAGE.indexOf("| message |"), PAGE.indexOf("An interface of your own counts"));
  const messages = [...table.matchAll(/^\| `(.+?)` \|/gm)].map(([, message]) => message!);
  assert.ok(messages.length >= 10);
  const sources = await Promise.all(["src/services", "src/schema"].map(async (folder) => {
    const files = (await walkFiles(`${ROOT}/${folder}`)).filter(({ path }) =>
      path.endsWith(".ts") && !path.endsWith("_test.ts")
    );
    return await Promise.all(files.map(({ path }) => Deno.readTextFile(`${ROOT}/${folder}/${path}`)));
  }));
  const all = sources.flat().join("\n");
  assert.deepEqual(messages.filter((message) => !all.includes(message)), []);
});

Deno.test("the page names the platform's codes", () => {
  for (const code of PLATFORM_ERRORS) assert.ok(PAGE.includes(`\`${code}\``), code);
});
