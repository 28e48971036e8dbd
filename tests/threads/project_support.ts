import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { LoadedDefinitions } from "../../src/guest/threads/definitions/mod.ts";
import { PROJECT_ZOD, projectTypes } from "../../src/threads/project_types.ts";
import { putTogether } from "../../tools/prepare/sources.ts";
import { unitsOf } from "../../tools/prepare/units.ts";

const ROOT = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");

/** Files by their paths from a project's folder. */
export type Files = Readonly<Record<string, string>>;

/** Calls back with a folder that has these files, and removes it. */
export async function withProject(files: Files, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "threads-project-" });
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What a project's files gave; of the functions the kinds and names. */
export type Loaded = Pick<LoadedDefinitions, "set" | "problems"> & { readonly functions: readonly string[] };

/** The definitions of projects, loaded by the real loader in a process of its own that has a thread host's imports. */
export async function load(...folders: readonly string[]): Promise<readonly Loaded[]> {
  const map = await Deno.makeTempFile({ prefix: "imports-", suffix: ".json" });
  try {
    const imports = { "@standardagents/spec": `${ROOT}/src/guest/spec/mod.ts`, zod: PROJECT_ZOD };
    await Deno.writeTextFile(map, JSON.stringify({ imports }));
    const flags = ["--no-prompt", "--no-config", "--no-lock", "--no-check", "--cached-only", "--allow-read"];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, `--import-map=${map}`, `${ROOT}/tests/threads/load_program.ts`, ...folders],
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(map);
  }
}

/** The files of the chapter's §9, as they are printed there. */
export const RELAY: Files = {
  "agents/handlers/relay_pipe.ts": `export default defineHandler({
  description: 'Pipe user traffic to the assistant child; relay answers outward.',
  execute: async (state, message) => {
    const child = state.children.find(c => c.relationship === 'assistant_agent');
    if (child) {
      const thread = await state.getChildThread(child.reference);
      await thread?.queueMessage({ role: 'user', content: message.content ?? '' });
    }
  },
});
`,
  "agents/agents/relay_agent.ts": `export default defineAgent({
  name: 'relay_agent',
  sideA: {
    handler: 'relay_pipe',
    subagents: [{
      agent: 'assistant_agent',
      maxInstances: 1,
      immediate: true,              // spawned at thread creation — see Subagents §3
      parentCommunication: 'explicit',
    }],
  },
  sideB: { human: true },
});
`,
};

/** The child that the chapter leaves to the reader. */
export const ASSISTANT: Files = {
  "agents/agents/assistant_agent.ts": `import { defineAgent } from '@standardagents/spec';

export default defineAgent({
  name: 'assistant_agent',
  exposeAsTool: true,
  toolDescription: 'Answers',
  sideA: { handler: 'answer' },
  sideB: { human: true },
});
`,
  "agents/handlers/answer.ts": `import { defineHandler } from '@standardagents/spec';

export default defineHandler({
  execute: async (state, message) => {
    await state.notifyParent(\`heard: \${message.content}\`);
  },
});
`,
};

/** Writes what \`handler threads types\` writes: the registry of what is defined, or an empty one. */
export async function writeTypes(folder: string, isEmpty = false): Promise<void> {
  const none = { agents: [], prompts: [], models: [], tools: [], hooks: [], effects: [], handlers: [] };
  const definitions = isEmpty ? none : (await load(folder))[0]!.set;
  const { files, remarks } = projectTypes({ definitions, spec: await specText(), denoJson: undefined });
  assert.deepEqual(remarks, []);
  await Deno.mkdir(join(folder, ".agents"), { recursive: true });
  for (const { path, text } of files) await Deno.writeTextFile(join(folder, path), text);
}

/** The module of definitions in one file, as \`deno task prepare\` makes it. */
export async function specText(): Promise<string> {
  const unit = (await unitsOf(ROOT)).find(({ name }) => name === "guest");
  assert.ok(unit?.kind === "programs");
  const output = await Deno.makeTempFile({ prefix: "spec-", suffix: ".ts" });
  try {
    await putTogether(unit.folder, unit.sources["spec.ts"] ?? [], output);
    return await Deno.readTextFile(output);
  } finally {
    await Deno.remove(output);
  }
}

/** The lines of a plain `deno check` of a project that say what is wrong. */
export async function checkProject(folder: string): Promise<readonly string[]> {
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "agents"],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stderr);
  return text.split("\n").filter((line) => /^(TS\d+ )?\[?(ERROR|error)|^TS\d+/.test(line));
}
