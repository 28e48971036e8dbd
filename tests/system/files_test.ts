import assert from "node:assert/strict";
import { layHome, shellAgent, startHome, type SystemHome } from "./home.ts";
import { until } from "./wait.ts";

/**
 * An agent's own program: plants what its work folder must not lead to, then asks for it through `handler-service` and
 * prints what each path gave, as JSON.
 */
const INTRUDER = String.raw`
const service = new Deno.Command("handler-service", { args: ["probe"], stdin: "piped", stdout: "piped" }).spawn();
const writer = service.stdin.getWriter();
const waiting = new Map();
let last = 0;
const ask = (method, params) => {
  const id = ++last;
  const { promise, resolve } = Promise.withResolvers();
  waiting.set(id, resolve);
  writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n"));
  return promise;
};
(async () => {
  let rest = "";
  for await (const text of service.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const message of lines.filter(Boolean).map((line) => JSON.parse(line))) waiting.get(message.id)?.(message);
  }
})();
await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } });
const call = async (name, input) => {
  const { result } = await ask("tools/call", { name, arguments: input });
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
};
const read = (path) => call("probe_read", { path });
const write = (path) => call("probe_write", { path, text: "from the agent" });
const seen = {};
await work(seen);
console.log("seen:" + JSON.stringify(seen));
Deno.exit(0);
`;

/** Runs an intruder's work in its sandbox and gives what it saw. */
async function intrude(home: SystemHome, work: string): Promise<Record<string, unknown>> {
  await Deno.writeTextFile(
    `${home.work}/intruder.js`,
    `const work = async (seen) => {${work}};\n${INTRUDER}`,
  );
  const log = await home.run("clerk");
  const line = /^seen:(.*)$/m.exec(log)?.[1];
  assert.ok(line, log);
  return JSON.parse(line);
}

const CLERK = { "agents/clerk.toml": shellAgent("exec deno run -A intruder.js") };

Deno.test("from its sandbox an agent's paths lead to its own regular files alone", async () => {
  await using home = await startHome({ files: CLERK });
  const secret = `${home.path}/outside.txt`;
  await Deno.writeTextFile(secret, "outside of the work folder");
  await Deno.mkdir(`${home.work}/sub`);
  const seen = await intrude(
    home,
    `
    Deno.writeTextFileSync("plain.txt", "plain");
    Deno.writeTextFileSync("empty.txt", "");
    Deno.writeTextFileSync("sub/deep.txt", "deep");
    Deno.writeTextFileSync("full.txt", "f".repeat(100_000));
    Deno.writeTextFileSync("over.txt", "o".repeat(100_001));
    Deno.linkSync("plain.txt", "hard.txt");
    Deno.symlinkSync("plain.txt", "link-in");
    Deno.symlinkSync(${JSON.stringify(secret)}, "link-out");
    Deno.symlinkSync(${JSON.stringify(home.path)}, "folder-out");
    Deno.symlinkSync("sub", "folder-in");
    new Deno.Command("mkfifo", { args: ["fifo"] }).outputSync();
    seen.good = [];
    for (const path of ["plain.txt", "./sub/../plain.txt", Deno.cwd() + "/plain.txt", "empty.txt", "sub/deep.txt", "full.txt", "hard.txt"]) {
      seen.good.push(await read(path));
    }
    seen.bad = {};
    const bad = ["../outside.txt", ${
      JSON.stringify(secret)
    }, "sub/../../outside.txt", "link-in", "link-out", "folder-out/outside.txt",
      "folder-in/deep.txt", "fifo", "sub", ".", "", "not-there", "plain.txt/x", "/etc/passwd", "/proc/self/environ",
      "/proc/self/cwd/plain.txt", "/proc/self/root/etc/passwd", "/dev/stdin", "/dev/fd/0", "a\\u0000b", "x".repeat(5000), "over.txt"];
    for (const path of bad) seen.bad[path.slice(0, 100)] = await read(path);
    seen.written = await write("out.txt");
    seen.replaced = await write("plain.txt");
    seen.text = Deno.readTextFileSync("plain.txt");
    seen.refused = {};
    for (const path of ["../outside.txt", "link-out", "folder-out/new.txt", "folder-in/new.txt", "sub", "fifo", "no/such/folder.txt", "/proc/self/mem", "/tmp/x"]) {
      seen.refused[path] = await write(path);
    }
    `,
  );
  const read = (size: number, head: string) => ({ size, head });
  assert.deepEqual(seen["good"], [
    read(5, "plain"),
    read(5, "plain"),
    read(5, "plain"),
    read(0, ""),
    read(4, "deep"),
    read(100_000, "f".repeat(40)),
    read(5, "plain"),
  ]);
  for (const [path, answer] of Object.entries(seen["bad"] as Record<string, { error: string }>)) {
    assert.equal(
      answer.error,
      path === "over.txt" ? "too_large" : "invalid_input",
      `${path}: ${JSON.stringify(answer)}`,
    );
  }
  assert.deepEqual(seen["written"], { bytes: 14 });
  assert.deepEqual(seen["replaced"], { bytes: 14 });
  assert.equal(seen["text"], "from the agent");
  for (const [path, answer] of Object.entries(seen["refused"] as Record<string, { error: string }>)) {
    assert.equal(answer.error, "invalid_input", `${path}: ${JSON.stringify(answer)}`);
  }
  assert.equal(await Deno.readTextFile(secret), "outside of the work folder");
  assert.equal(
    await Deno.readTextFile(`${home.work}/hard.txt`),
    "plain",
    "the other name of a replaced file is kept",
  );
  const names = [...Deno.readDirSync(home.work)].map(({ name }) => name).filter((name) =>
    name.endsWith(".partial")
  );
  assert.deepEqual(names, []);
  assert.deepEqual([...Deno.readDirSync(`${home.path}/run/c/1/files/in`)], []);
  assert.deepEqual([...Deno.readDirSync(`${home.path}/run/c/1/files/out`)], []);
});

Deno.test("a name swapped 500 times while it is asked for never leads out", async () => {
  await using home = await startHome({ files: CLERK });
  await Deno.writeTextFile(`${home.path}/outside.txt`, "OUTSIDE");
  const seen = await intrude(
    home,
    `
    Deno.mkdirSync("real");
    Deno.writeTextFileSync("real/outside.txt", "inside");
    Deno.writeTextFileSync("real/file.txt", "inside");
    const target = ${JSON.stringify(home.path)};
    const swapper = new Worker(URL.createObjectURL(new Blob([\`
      Deno.chdir("\${Deno.cwd()}");
      let on = 0;
      const swap = () => {
        for (let i = 0; i < 50; i++) {
          on = 1 - on;
          try { Deno.removeSync("swap-file"); } catch {}
          try { on ? Deno.symlinkSync("\${target}/outside.txt", "swap-file") : Deno.linkSync("real/file.txt", "swap-file"); } catch {}
          try { Deno.removeSync("swap-folder"); } catch {}
          try { Deno.symlinkSync(on ? "\${target}" : "real", "swap-folder"); } catch {}
          try { Deno.renameSync(on ? "moving" : "moved", on ? "moved" : "moving"); } catch {}
        }
        setTimeout(swap);
      };
      swap();
    \`], { type: "text/javascript" })), { type: "module" });
    Deno.mkdirSync("moving");
    Deno.writeTextFileSync("moving/outside.txt", "inside");
    seen.heads = {};
    const paths = ["swap-file", "swap-folder/outside.txt", "moving/outside.txt", "moved/outside.txt"];
    for (let turn = 0; turn < 125; turn++) {
      for (const answer of await Promise.all(paths.map(read))) {
        const key = answer.error ?? answer.head;
        seen.heads[key] = (seen.heads[key] ?? 0) + 1;
      }
      await write(turn % 2 ? "swap-file" : "swap-folder/outside.txt");
    }
    swapper.terminate();
    `,
  );
  const heads = seen["heads"] as Record<string, number>;
  const allowed = ["inside", "from the agent", "invalid_input"];
  assert.deepEqual(Object.keys(heads).filter((head) => !allowed.includes(head)), [], JSON.stringify(heads));
  assert.equal(Object.values(heads).reduce((sum, count) => sum + count), 500);
  assert.equal(await Deno.readTextFile(`${home.path}/outside.txt`), "OUTSIDE");
});

Deno.test("a file that grows while it is read is taken up to the limit or refused, never more", async () => {
  await using home = await startHome({ files: CLERK });
  const seen = await intrude(
    home,
    `
    const grower = new Worker(URL.createObjectURL(new Blob([\`
      Deno.chdir("\${Deno.cwd()}");
      const piece = new Uint8Array(512).fill(103);
      const grow = () => {
        Deno.writeFileSync("growing", new Uint8Array());
        for (let i = 0; i < 400; i++) Deno.writeFileSync("growing", piece, { append: true });
        setTimeout(grow);
      };
      grow();
    \`], { type: "text/javascript" })), { type: "module" });
    Deno.writeTextFileSync("growing", "g");
    seen.answers = [];
    for (let turn = 0; turn < 100; turn++) seen.answers.push(await read("growing"));
    grower.terminate();
    `,
  );
  for (const answer of seen["answers"] as { size?: number; error?: string }[]) {
    if (answer.error !== undefined) assert.equal(answer.error, "too_large");
    else assert.ok(answer.size! <= 100_000, `${answer.size}`);
  }
  const bytes = (await home.client.calls({ limit: 200 })).map(({ bytesIn }) => Number(bytesIn));
  assert.ok(Math.max(...bytes) <= 100_100);
});

Deno.test("of two agents in two folders neither reaches the other's files", async () => {
  await using home = await layHome({ files: CLERK });
  await Deno.mkdir(`${home.path}/elsewhere`);
  await Deno.writeTextFile(`${home.path}/elsewhere/letter.txt`, "the other's letter");
  await home.write("projects/other.toml", `path = "${home.path}/elsewhere"\n`);
  await home.write(
    "agents/other.toml",
    'project = "other"\nharness = "external"\nservices = { probe = "probe" }\n',
  );
  await home.start();
  await home.trust("probe/v1", "probe");
  using wire = await home.wire("other");
  const mine = await wire.call("probe_read", { path: "letter.txt" });
  assert.equal(mine.result.structuredContent.head, "the other's letter");
  const seen = await intrude(
    home,
    `seen.answer = await read(${JSON.stringify(`${home.path}/elsewhere/letter.txt`)});
     try { seen.sockets = [...Deno.readDirSync(${
      JSON.stringify(`${home.path}/run`)
    })].length; } catch { seen.sockets = "none"; }`,
  );
  assert.equal((seen["answer"] as { error: string }).error, "invalid_input");
  assert.equal(seen["sockets"], "none");
  await until("both records", async () => (await home.client.calls({ limit: 9 })).length === 2);
});
