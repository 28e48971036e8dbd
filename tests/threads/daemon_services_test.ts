import assert from "node:assert/strict";
import type { Configuration, ProjectConfig } from "../../src/config/mod.ts";
import type { Services } from "../../src/services/mod.ts";
import { echoInterface, failed, RouterRig, success } from "../../src/services/router/testing.ts";
import { threadServices } from "../../src/daemon/thread_services.ts";

async function rigged(given: Partial<ProjectConfig> = {}) {
  const rig = await RouterRig.make();
  const served = echoInterface();
  const desk = { name: "desk", services: { echo: ["one"] }, privacy: "any", ...given } as ProjectConfig;
  const projects = new Map([["desk", desk]]);
  const services = threadServices({
    services: { catalog: { served: () => served }, router: rig.router } as unknown as Services,
    filesFolder: `${rig.folder}/files`,
    configuration: () => ({ projects }) as unknown as Configuration,
  });
  const told: string[] = [];
  const signal = new AbortController().signal;
  return {
    rig,
    services,
    projects,
    told,
    call: (tool: string, args: { readonly [key: string]: string }) =>
      services.call("desk", "t1", "echo/v1", tool, args, {
        signal,
        progress: (text) => void told.push(text),
      }),
    async [Symbol.asyncDispose]() {
      services.close();
      await rig[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a thread calls as its project, whose choice is asked at each call", async () => {
  await using it = await rigged();
  it.rig.answers.set("one", async (call) => {
    await call.progress(3);
    return success({ text: `one: ${call.arguments.text}` });
  });
  it.rig.answers.set("two", (call) => success({ text: `two: ${call.arguments.text}` }));
  assert.deepEqual(await it.call("echo_text", { text: "a" }), { text: "one: a" });
  assert.deepEqual(it.told, ["3"]);
  it.projects.set("desk", { ...it.projects.get("desk")!, services: { echo: ["two"] } });
  assert.deepEqual(await it.call("echo_text", { text: "a" }), { text: "two: a" });
  assert.deepEqual(it.rig.records.map(({ caller }) => caller), ["project:desk", "project:desk"]);
  assert.deepEqual(it.services.tools("echo/v1").map(({ name }) => name), ["echo_text", "echo_file"]);
});

Deno.test("files of a thread are read from and written into its own folder", async () => {
  await using it = await rigged();
  const files = `${it.rig.folder}/files/t1`;
  await Deno.mkdir(`${files}/attachments`, { recursive: true });
  await Deno.writeTextFile(`${files}/attachments/in.txt`, "five!");
  it.rig.answers.set("one", async (call) => {
    const { path, out } = call.arguments as { path: { size: number }; out: { $output: string } };
    await Deno.writeTextFile(`${call.files}/out/${out.$output}`, "made");
    return success({ size: path.size });
  });
  const given = { path: "/attachments/in.txt", out: "/made.txt" };
  assert.deepEqual(await it.call("echo_file", given), { size: 5 });
  assert.equal(await Deno.readTextFile(`${files}/made.txt`), "made");
  await assert.rejects(it.call("echo_file", { path: "/../../work", out: "/x" }), {
    name: "ServiceFailure",
  });
});

Deno.test("what an interface refuses, and what is not chosen, are failures in its words", async () => {
  await using it = await rigged();
  it.rig.answers.set("one", () => failed("odd", "too odd"));
  await assert.rejects(it.call("echo_text", { text: "a" }), {
    name: "ServiceFailure",
    code: "odd",
    message: "too odd",
  });
  await assert.rejects(it.call("echo_text", {}), { code: "invalid_input" });
  it.projects.clear();
  await assert.rejects(it.call("echo_text", { text: "a" }), { code: "unavailable" });
});

Deno.test("a project that keeps to this machine calls no binding with egress", async () => {
  await using it = await rigged({ privacy: "local" });
  it.rig.egress.add("one");
  it.rig.answers.set("one", () => success({ text: "a" }));
  await assert.rejects(it.call("echo_text", { text: "a" }), { code: "unavailable" });
  assert.deepEqual(it.rig.starts, []);
});
