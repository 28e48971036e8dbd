import assert from "node:assert/strict";
import { HandlerError, ProblemList } from "../base/mod.ts";
import { ConfigurationEditor } from "./editor.ts";
import { defaultMain } from "./load.ts";
import { SETTINGS, settingsIn } from "./settings.ts";

const home = () => "/home/ann";

async function inFolder(work: (folder: string, editor: ConfigurationEditor) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder, new ConfigurationEditor({ folder, home }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function leaves(value: unknown, path: string): string[] {
  const open = typeof value === "object" && value !== null && !Array.isArray(value) && path !== "egress.dial";
  if (!open) return [path];
  return Object.entries(value).flatMap(([key, part]) => leaves(part, path ? `${path}.${key}` : key));
}

Deno.test("every key of config.toml is a setting, and nothing else is", () => {
  assert.deepEqual(SETTINGS.map(({ key }) => key).sort(), leaves(defaultMain(home), "").sort());
});

Deno.test("a setting that is written as it reads stays what it is", async () => {
  await inFolder(async (_, editor) => {
    const standard = defaultMain(home);
    for (const { key, read } of SETTINGS.filter((one) => one.read(standard) !== "")) {
      const { main } = await editor.saveSetting(key, read(standard));
      assert.equal(read(main), read(standard), key);
    }
  });
});

Deno.test("a setting is written beside a person's comments, and taken out again", async () => {
  await inFolder(async (folder, editor) => {
    const text = '# mine\napiVersion = "handler.config/v1"\n\n[records] # kept\nkeepDays = 7\n';
    await Deno.writeTextFile(`${folder}/config.toml`, text);
    const { main } = await editor.saveSetting("threads.idleSeconds", "60");
    assert.equal(main.threads.idleSeconds, 60);
    await editor.saveSetting("egress.dial", "api.example.com:443 = 127.0.0.1:8443, b:1 = c:2");
    const changed = await Deno.readTextFile(`${folder}/config.toml`);
    assert.match(changed, /^# mine\n/);
    assert.match(changed, /\[records\] # kept\nkeepDays = 7/);
    assert.deepEqual([...settingsIn(changed)], ["egress.dial", "records.keepDays", "threads.idleSeconds"]);
    await editor.saveSetting("threads.idleSeconds", null);
    const { main: after } = await editor.saveSetting("egress.dial", null);
    assert.deepEqual(after.egress.dial, {});
    assert.deepEqual([...settingsIn(await Deno.readTextFile(`${folder}/config.toml`))], ["records.keepDays"]);
  });
});

Deno.test("a value that breaks a rule is refused with its key, and nothing is written", async () => {
  await inFolder(async (folder, editor) => {
    const problem = async (key: string, value: string) => {
      const error = await editor.saveSetting(key, value).then(() => undefined, (thrown) => thrown);
      assert.ok(error instanceof ProblemList, `${key} was taken`);
      return [error.problems[0]?.where?.key, error.problems[0]?.message];
    };
    assert.deepEqual(await problem("records.keepDays", "soon"), [
      "records.keepDays",
      'must be an integer from 1 to 36500, found "soon"',
    ]);
    assert.equal((await problem("sandbox", "docker"))[0], "sandbox");
    assert.equal((await problem("currency", "euro"))[0], "currency");
    assert.equal((await problem("egress.dial", "x"))[0], "egress.dial.x");
    await assert.rejects(
      editor.saveSetting("thread.idleSeconds", "1"),
      (error) => error instanceof HandlerError && error.hint === "did you mean threads.idleSeconds?",
    );
    await editor.saveSetting("image", null);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  });
});
