import assert from "node:assert/strict";
import { ProblemList } from "../base/mod.ts";
import { ConfigurationEditor } from "./editor.ts";
import type { AgentConfig, BindingConfig, ProjectConfig } from "./records.ts";
import type { Draft } from "./shapes.ts";

const BINDING: Draft<BindingConfig> = {
  uses: { kind: "connector", name: "ocr-mistral" },
  description: "Mistral OCR, personal key",
  secrets: { api_key: { kind: "command", argv: ["pass", "show", "mistral/ocr"] } },
  settings: { model: "mistral-ocr-latest" },
  prices: {},
};
const PROJECT: Draft<ProjectConfig> = {
  path: "/work/books",
  requires: ["ocr/v1"],
  services: { ocr: ["mistral"] },
  privacy: "any",
  env: {},
};
const AGENT: Draft<AgentConfig> = {
  project: "books",
  harness: "command",
  command: ["sh", "-c", "true"],
  model: undefined,
  addons: [],
  services: {},
  egress: [],
  env: {},
  image: undefined,
};

interface Scene {
  readonly folder: string;
  readonly editor: ConfigurationEditor;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const editor = new ConfigurationEditor({ folder, home: () => "/home/ann" });
  try {
    await work({
      folder,
      editor,
      read: (path) => Deno.readTextFile(`${folder}/${path}`),
      async write(path, text) {
        await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
        await Deno.writeTextFile(`${folder}/${path}`, text);
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("new files are written in order and read back as given", () =>
  scene(async ({ editor, read, folder }) => {
    await editor.saveBinding("mistral", BINDING, "new or edited");
    await editor.saveProject("books", PROJECT, "new or edited");
    const whole = await editor.saveAgent("clerk", AGENT, "new or edited");
    assert.deepEqual(whole.bindings.get("mistral"), {
      ...BINDING,
      name: "mistral",
      file: `${folder}/bindings/mistral.toml`,
    });
    assert.deepEqual(whole.projects.get("books"), {
      ...PROJECT,
      name: "books",
      file: `${folder}/projects/books.toml`,
    });
    assert.deepEqual(whole.agents.get("clerk"), {
      ...AGENT,
      name: "clerk",
      file: `${folder}/agents/clerk.toml`,
    });
    assert.equal(
      await read("bindings/mistral.toml"),
      `apiVersion = "handler.binding/v1"
connector = "ocr-mistral"
description = "Mistral OCR, personal key"
secrets = { api_key = { command = ["pass", "show", "mistral/ocr"] } }
settings = { model = "mistral-ocr-latest" }
`,
    );
    assert.equal((await Deno.stat(`${folder}/bindings/mistral.toml`)).mode! & 0o777, 0o600);
  }));

Deno.test("an edit touches what differs and keeps comments, order and the home's short name", () =>
  scene(async ({ editor, read, write }) => {
    const text =
      `# where the books are\npath = "~/books" # home\napiVersion = "handler.project/v1"\n\n[services]\n# none yet\n`;
    await write("projects/books.toml", text);
    await editor.saveProject("books", {
      ...PROJECT,
      path: "/home/ann/books",
      requires: [],
      services: {},
      privacy: "local",
    }, "new or edited");
    assert.equal(
      await read("projects/books.toml"),
      text.replace('project/v1"\n', 'project/v1"\nprivacy = "local"\n'),
    );
  }));

Deno.test("a selection is set, made a list, and taken away", () =>
  scene(async ({ editor, read, write }) => {
    await editor.saveBinding("mistral", BINDING, "new or edited");
    await editor.saveBinding(
      "local",
      { ...BINDING, uses: { kind: "connector", name: "ocr-tesseract" } },
      "new or edited",
    );
    await write("projects/books.toml", 'apiVersion = "handler.project/v1"\npath = "/b" # here\n');
    const owner = { kind: "project", name: "books" } as const;
    await editor.setSelection(owner, "ocr", ["mistral"]);
    const head = 'apiVersion = "handler.project/v1"\npath = "/b" # here\n';
    assert.equal(await read("projects/books.toml"), `${head}services = { ocr = "mistral" }\n`);
    const whole = await editor.setSelection(owner, "ocr", ["local", "mistral"]);
    assert.deepEqual(whole.projects.get("books")?.services, { ocr: ["local", "mistral"] });
    assert.equal(await read("projects/books.toml"), `${head}services = { ocr = ["local", "mistral"] }\n`);
    await editor.setSelection(owner, "ocr", []);
    assert.equal(await read("projects/books.toml"), `${head}services = {}\n`);
  }));

Deno.test("an edit that breaks the set changes nothing", () =>
  scene(async ({ editor, read, folder }) => {
    await editor.saveBinding("mistral", BINDING, "new or edited");
    await editor.saveProject("books", PROJECT, "new or edited");
    const before = await read("projects/books.toml");
    await assert.rejects(editor.removeBinding("mistral"), ProblemList);
    await assert.rejects(
      editor.setSelection({ kind: "project", name: "books" }, "ocr", ["nobody"]),
      ProblemList,
    );
    await assert.rejects(
      editor.saveAgent("clerk", { ...AGENT, project: "nowhere" }, "new or edited"),
      ProblemList,
    );
    await assert.rejects(editor.saveAgent("clerk", { ...AGENT, command: [] }, "new or edited"), ProblemList);
    assert.equal(await read("projects/books.toml"), before);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["bindings", "projects"]);
  }));

Deno.test("names that break the rule and names of nobody are refused", () =>
  scene(async ({ editor }) => {
    for (const name of ["", "A", "a b", "../x", "a.toml", "é", "a-", "x".repeat(41)]) {
      await assert.rejects(editor.saveBinding(name, BINDING, "new or edited"), { kind: "usage" }, name);
    }
    await editor.saveProject("books", { ...PROJECT, services: {} }, "new or edited");
    const owner = { kind: "project", name: "books" } as const;
    await assert.rejects(editor.setSelection(owner, "Ocr", ["mistral"]), { kind: "usage" });
    await assert.rejects(editor.removeAgent("clerk"), { kind: "not_found" });
    await assert.rejects(editor.setSelection({ kind: "agent", name: "clerk" }, "ocr", []), {
      kind: "not_found",
    });
  }));

Deno.test("what is there already is a conflict where it is to be new", () =>
  scene(async ({ editor, read, folder }) => {
    await editor.saveBinding("mistral", BINDING, "new");
    await editor.saveProject("books", PROJECT, "new");
    await editor.saveAgent("clerk", AGENT, "new");
    const before = await read("agents/clerk.toml");
    await assert.rejects(editor.saveBinding("mistral", BINDING, "new"), { kind: "conflict" });
    await assert.rejects(editor.saveProject("books", PROJECT, "new"), { kind: "conflict" });
    const error = await editor.saveAgent("clerk", { ...AGENT, model: "small" }, "new").catch((error) =>
      error
    );
    assert.equal(error.message, 'there is an agent "clerk" already');
    assert.equal(error.where.file, `${folder}/agents/clerk.toml`);
    assert.match(error.hint, /--replace/);
    assert.equal(await read("agents/clerk.toml"), before);
  }));

Deno.test("a link stays a link, a mode stays a mode, a file that is no UTF-8 is left alone", () =>
  scene(async ({ editor, folder, write, read }) => {
    await write("elsewhere/b.toml", 'apiVersion = "handler.binding/v1"\nconnector = "x"\n');
    await Deno.chmod(`${folder}/elsewhere/b.toml`, 0o644);
    await Deno.mkdir(`${folder}/bindings`);
    await Deno.symlink("../elsewhere/b.toml", `${folder}/bindings/b.toml`);
    await editor.saveBinding("b", BINDING, "new or edited");
    assert.ok((await Deno.lstat(`${folder}/bindings/b.toml`)).isSymlink);
    assert.equal((await Deno.stat(`${folder}/elsewhere/b.toml`)).mode! & 0o777, 0o644);
    assert.match(await read("elsewhere/b.toml"), /ocr-mistral/);
    await Deno.writeFile(`${folder}/bindings/c.toml`, new Uint8Array([0x23, 0xff, 0x0a]));
    await assert.rejects(editor.saveBinding("c", BINDING, "new or edited"), ProblemList);
    assert.deepEqual(await Deno.readFile(`${folder}/bindings/c.toml`), new Uint8Array([0x23, 0xff, 0x0a]));
  }));

Deno.test("edits that overlap run one after the other", () =>
  scene(async ({ editor, read }) => {
    await editor.saveBinding("mistral", BINDING, "new or edited");
    await editor.saveProject("books", { ...PROJECT, services: {} }, "new or edited");
    const names = Array.from({ length: 20 }, (_, at) => `service-${at}`);
    const owner = { kind: "project", name: "books" } as const;
    await Promise.all(names.map((name) => editor.setSelection(owner, name, ["mistral"])));
    const text = await read("projects/books.toml");
    for (const name of names) assert.ok(text.includes(`${name} = "mistral"`), name);
  }));

Deno.test("persons are written and removed; the owner is there without a file", () =>
  scene(async ({ editor, read }) => {
    const whole = await editor.savePerson("alice", { displayName: "Alice", desktop: undefined, env: {} });
    assert.equal(
      await read("persons/alice.toml"),
      'apiVersion = "handler.person/v1"\ndisplayName = "Alice"\n',
    );
    assert.deepEqual([...whole.persons.keys()], ["owner", "alice"]);
    assert.deepEqual([whole.persons.get("alice")?.desktop, whole.persons.get("owner")?.desktop], [
      false,
      true,
    ]);
    assert.equal(
      (await editor.savePerson("owner", { displayName: "Ann", desktop: false, env: {} })).persons.size,
      2,
    );
    assert.deepEqual((await editor.removePerson("owner")).persons.get("owner")?.displayName, "owner");
    await editor.removePerson("alice");
    await assert.rejects(editor.removePerson("alice"), { kind: "not_found" });
  }));
