import assert from "node:assert/strict";
import { inHome, logOf } from "./support.ts";

const PROGRAM = `
const tried = async (what, work) => {
  try { console.log(what, await work()); } catch (error) { console.log(what, error.name); }
};
const text = (bytes) => new TextDecoder().decode(bytes).trim();
await tried("work", async () => { await Deno.writeTextFile("out.txt", "x"); return await Deno.readTextFile("out.txt"); });
await tried("outside", () => Deno.readTextFile("/etc/passwd"));
await tried("named", () => Deno.readTextFile(Deno.args[0]));
await tried("network", () => Deno.connect({ hostname: "127.0.0.1", port: 80 }));
await tried("program", () => new Deno.Command("/bin/sh", { args: ["-c", "true"] }).output());
await tried("service", async () => {
  const { stderr } = await new Deno.Command("handler-service", { args: ["nothing"], stdin: "null" }).output();
  return text(stderr);
});
await tried("skill", () => Deno.readTextFile(Deno.env.get("HANDLER_SKILLS") + "/ocr/SKILL.md"));
await tried("home", () => Deno.writeTextFile(Deno.env.get("HOME") + "/kept", "y"));
`;
const AGENT = 'harness = "command"\ncommand = ["deno", "run", "-A", "work.ts"]\nservices = { ocr = "scans" }';

Deno.test("where only Deno's permissions are there, an agent that is a Deno program runs under them once asked for", () =>
  inHome({ clerk: AGENT }, async ({ agents, folders, reload }, home) => {
    await Deno.writeTextFile(`${home}/work/work.ts`, PROGRAM);
    await assert.rejects(agents.run("clerk", { prompt: "x" }), /nobody asked for that/);
    const config = `${folders.config}/config.toml`;
    await Deno.writeTextFile(config, 'apiVersion = "handler.config/v1"\ndenoDriverFor = ["clerk"]\n');
    await reload();
    const { id } = await agents.run("clerk", { args: ["/etc/hosts"], prompt: "x" });
    assert.deepEqual((await logOf(agents, id)).trim().split("\n"), [
      "work x",
      "outside NotCapable",
      "named NotCapable",
      "network NotCapable",
      "program NotCapable",
      'service handler-service: no service "nothing" here; this sandbox has: ocr',
      "skill # How to use ocr",
      "",
      "home undefined",
    ]);
    const ended = await agents.wait(id);
    assert.deepEqual([ended.state, ended.exitCode, ended.driver], ["exited", 0, "deno"]);
    assert.equal(await Deno.readTextFile(`${folders.data}/agents/clerk/home/kept`), "y");
  }, "deno"));

Deno.test("the same agent runs under a driver with mounts, by the same words", () =>
  inHome({ clerk: AGENT }, async ({ agents }, home) => {
    await Deno.writeTextFile(`${home}/work/work.ts`, PROGRAM);
    const { id } = await agents.run("clerk", { args: ["/etc/shadow"], prompt: "x" });
    const log = await logOf(agents, id);
    assert.match(log, /^work x$/m);
    assert.match(log, /^service handler-service: no service "nothing" here; this sandbox has: ocr$/m);
    assert.match(log, /^named (NotFound|PermissionDenied)$/m);
  }));

Deno.test("any other command is refused by the driver that has only Deno's permissions", () =>
  inHome(
    { clerk: 'harness = "command"\ncommand = ["true"]\nservices = { ocr = "scans" }' },
    async (daemon) => {
      const { agents, folders, reload } = daemon;
      const config = `${folders.config}/config.toml`;
      await Deno.writeTextFile(config, 'apiVersion = "handler.config/v1"\nsandbox = "deno"\n');
      await reload();
      await assert.rejects(agents.run("clerk", { prompt: "x" }), /confines Deno programs alone/);
      const [session] = agents.list({ all: true });
      assert.equal(session?.state, "failed");
      assert.match(session?.reason ?? "", /confines Deno programs alone/);
    },
    "deno",
  ));
