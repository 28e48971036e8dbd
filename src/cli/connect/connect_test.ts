import assert from "node:assert/strict";
import { HandlerError } from "../../base/mod.ts";
import { apply, preview } from "./apply.ts";
import type { Machine, McpClient } from "./client.ts";
import { CLIENTS, isInstalled } from "./clients.ts";
import { agentOf, type Wanted } from "./plan.ts";

function machine(home: string, given: Partial<Machine> = {}): Machine {
  return {
    os: "linux",
    home,
    variable: () => undefined,
    exists: async (path) => await Deno.lstat(path).then(() => true, () => false),
    hasProgram: () => Promise.resolve(false),
    ...given,
  };
}

function wanted(services: readonly string[], agent = "desk"): Wanted {
  const launch = (name: string) => ({
    command: "/opt/handlerd",
    args: ["handler-service", name, "--agent", agent],
    env: { HANDLER_RUNTIME_DIR: "/run/user/1/handler-ai" },
  });
  return { agent, launches: Object.fromEntries(services.map((name) => [name, launch(name)])) };
}

function client(name: string): McpClient {
  const found = CLIENTS.find((one) => one.name === name);
  assert.ok(found);
  return found;
}

Deno.test("each client's file is where its documentation says", async () => {
  const files = async (given: Partial<Machine>) =>
    await Promise.all(
      CLIENTS.map((one) => one.file(machine("/home/x", { exists: () => Promise.resolve(false), ...given }))),
    );
  assert.deepEqual(await files({}), [
    "/home/x/.claude.json",
    "/home/x/.codex/config.toml",
    "/home/x/.gemini/settings.json",
    "/home/x/.config/opencode/opencode.json",
    "/home/x/.config/Code/User/mcp.json",
    "/home/x/.cursor/mcp.json",
  ]);
  const variables: Readonly<Record<string, string>> = {
    CLAUDE_CONFIG_DIR: "/c",
    CODEX_HOME: "/d",
    GEMINI_CLI_HOME: "/g",
    XDG_CONFIG_HOME: "/x",
  };
  assert.deepEqual(await files({ os: "darwin", variable: (name) => variables[name] }), [
    "/c/.claude.json",
    "/d/config.toml",
    "/g/.gemini/settings.json",
    "/x/opencode/opencode.json",
    "/home/x/Library/Application Support/Code/User/mcp.json",
    "/home/x/.cursor/mcp.json",
  ]);
  const jsonc = (path: string) => Promise.resolve(path.endsWith(".jsonc"));
  assert.equal((await files({ exists: jsonc }))[3], "/home/x/.config/opencode/opencode.jsonc");
});

Deno.test("a client is found by its program or its settings", async () => {
  const home = await Deno.makeTempDir();
  const here = async (given: Partial<Machine> = {}) => {
    const found = await Promise.all(CLIENTS.map((one) => isInstalled(one, machine(home, given))));
    return CLIENTS.filter((_, at) => found[at]).map(({ name }) => name);
  };
  assert.deepEqual(await here(), []);
  assert.deepEqual(await here({ hasProgram: (name) => Promise.resolve(name === "codex") }), ["codex"]);
  await Deno.mkdir(`${home}/.cursor`);
  await Deno.writeTextFile(`${home}/.claude.json`, "{}");
  assert.deepEqual(await here(), ["claude-code", "cursor"]);
  await Deno.remove(home, { recursive: true });
});

Deno.test("every client: written, found again, done again without a change, taken out", async () => {
  for (const one of CLIENTS) {
    const home = await Deno.makeTempDir();
    const file = await one.file(machine(home));
    const first = await apply(one, file, wanted(["llm", "ocr"]), "1");
    assert.deepEqual(first.plan.added, ["handler-llm", "handler-ocr"], one.name);
    assert.equal(first.backup, null);
    const text = await Deno.readTextFile(file);
    assert.match(text, /handler-service/);
    assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
    const again = await apply(one, file, wanted(["llm", "ocr"]), "2");
    assert.deepEqual([again.plan.added, again.plan.changed, again.plan.removed], [[], [], []], one.name);
    assert.equal(await Deno.readTextFile(file), text);
    const fewer = await apply(one, file, wanted(["ocr"]), "3");
    assert.deepEqual(fewer.plan.removed, ["handler-llm"]);
    assert.equal(await Deno.readTextFile(`${file}.handler-3.bak`), text);
    const none = await apply(one, file, wanted([]), "4");
    assert.deepEqual(none.plan.removed, ["handler-ocr"]);
    assert.doesNotMatch(await Deno.readTextFile(file), /handler-/);
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("an entry that moved is brought up to date in its place", async () => {
  for (const one of CLIENTS) {
    const home = await Deno.makeTempDir();
    const file = await one.file(machine(home));
    await apply(one, file, wanted(["ocr"]), "1");
    await Deno.writeTextFile(file, (await Deno.readTextFile(file)).replace("/opt/handlerd", "/old/handlerd"));
    const moved = await apply(one, file, wanted(["ocr"]), "2");
    assert.deepEqual(moved.plan.changed, ["handler-ocr"], one.name);
    assert.match(await Deno.readTextFile(file), /\/opt\/handlerd/);
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("what others wrote is never touched", async () => {
  const folder = await Deno.makeTempDir();
  const codex = `${folder}/config.toml`;
  const toml = `# mine
model = "x" # keep
[mcp_servers.files] # keep too
command = "files"

[mcp_servers.files.env]
A = "1"

# the end
`;
  await Deno.writeTextFile(codex, toml);
  await apply(client("codex"), codex, wanted(["ocr"]), "1");
  const after = await Deno.readTextFile(codex);
  assert.ok(after.startsWith(toml), after);
  assert.match(after, /\n\[mcp_servers\.handler-ocr\]\ncommand = "\/opt\/handlerd"\n/);
  await apply(client("codex"), codex, wanted([]), "2");
  assert.equal((await Deno.readTextFile(codex)).trimEnd(), toml.trimEnd());
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a server of that name that is somebody else's is a conflict", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/mcp.json`;
  const text = '{ "mcpServers": { "handler-ocr": { "command": "mine" } } }';
  await Deno.writeTextFile(file, text);
  await assert.rejects(apply(client("cursor"), file, wanted(["ocr"]), "1"), (error: HandlerError) => {
    return error.kind === "conflict" && error.message.includes("handler-ocr");
  });
  assert.equal(await Deno.readTextFile(file), text);
  assert.deepEqual([...Deno.readDirSync(folder)].length, 1);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what cannot be read is left alone, with file and line in the error", async () => {
  const folder = await Deno.makeTempDir();
  for (
    const [name, file, text] of [
      ["cursor", "mcp.json", '{\n  "mcpServers": {\n'],
      ["codex", "config.toml", "a = 1\nb = = 2\n"],
      ["codex", "inline.toml", 'mcp_servers = { a = { command = "x" } }\n'],
    ] as const
  ) {
    const path = `${folder}/${file}`;
    await Deno.writeTextFile(path, text);
    await assert.rejects(apply(client(name), path, wanted(["ocr"]), "1"), (error: HandlerError) => {
      return error.toString().includes(file);
    });
    assert.equal(await Deno.readTextFile(path), text);
  }
  assert.equal([...Deno.readDirSync(folder)].length, 3);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a link stays a link, the mode and a byte order mark stay", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/dotfiles`);
  await Deno.writeTextFile(`${folder}/dotfiles/mcp.json`, "\ufeff{}\n", { mode: 0o644 });
  await Deno.symlink(`${folder}/dotfiles/mcp.json`, `${folder}/mcp.json`);
  const { backup } = await apply(client("cursor"), `${folder}/mcp.json`, wanted(["ocr"]), "1");
  assert.ok((await Deno.lstat(`${folder}/mcp.json`)).isSymlink);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    await Deno.readFile(`${folder}/dotfiles/mcp.json`),
  );
  assert.ok(text.startsWith("\ufeff{") && text.includes("handler-ocr"));
  assert.equal((await Deno.stat(`${folder}/dotfiles/mcp.json`)).mode! & 0o777, 0o644);
  assert.equal(backup, `${await Deno.realPath(folder)}/dotfiles/mcp.json.handler-1.bak`);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a preview changes nothing", async () => {
  const folder = await Deno.makeTempDir();
  const plan = await preview(client("vscode"), `${folder}/mcp.json`, wanted(["ocr"]));
  assert.deepEqual(plan.added, ["handler-ocr"]);
  assert.equal([...Deno.readDirSync(folder)].length, 0);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("another agent's entries are not ours to take", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/mcp.json`;
  await apply(client("cursor"), file, wanted(["ocr"], "desk"), "1");
  const other = await apply(client("cursor"), file, wanted([], "laptop"), "2");
  assert.deepEqual(other.plan.removed, []);
  assert.equal(agentOf({ command: ["/x/handler-service", "ocr", "--agent", "desk"] }), "desk");
  assert.equal(agentOf({ command: "handler-service", args: ["ocr"] }), undefined);
  assert.equal(agentOf({ command: "x", args: ["--agent", "desk"] }), undefined);
  await Deno.remove(folder, { recursive: true });
});
