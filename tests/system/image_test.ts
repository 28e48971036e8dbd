import assert from "node:assert/strict";
import { run } from "../../src/platform/mod.ts";
import { imageStatus } from "../../src/sandbox/mod.ts";
import { ROOT } from "../../tools/repository.ts";
import { externalAgent, podmanWorks, startHome } from "./home.ts";
import { codeOf } from "./wire.ts";

const TAG = "localhost/handler-test-connector:1";

/** An image with a connector inside and an argv of its own: the runtime image and two files. */
async function makeImage(): Promise<void> {
  const folder = await Deno.makeTempDir();
  const { present } = await imageStatus({ named: undefined });
  await Deno.copyFile(`${ROOT}/build/guest/kit.js`, `${folder}/kit.js`);
  await Deno.writeTextFile(
    `${folder}/main.js`,
    'import { serve } from "./kit.js";\nserve({\n  probe_act: (input) => ({ text: `from the image: ${input.text ?? ""}` }),\n  probe_read: () => ({ size: 0, head: "" }),\n  probe_write: () => ({ bytes: 0 }),\n});\n',
  );
  await Deno.writeTextFile(`${folder}/Containerfile`, `FROM ${present[0]}\nCOPY kit.js main.js /opt/own/\n`);
  const { code, stderr } = await run([
    "podman",
    "build",
    "-q",
    "--pull=never",
    "--network=none",
    "-t",
    TAG,
    folder,
  ], {
    inheritEnv: true,
  });
  await Deno.remove(folder, { recursive: true });
  assert.equal(code, 0, stderr);
}

const podman = await podmanWorks();

Deno.test({
  name: "a connector that is an image with its own argv answers through the router",
  ignore: !podman && Deno.env.get("CI") !== "true",
  async fn() {
    await makeImage();
    const files = {
      "bindings/pictured.toml": 'connector = "pictured"\n',
      "agents/desk.toml": externalAgent("pictured"),
    };
    const manifest = `apiVersion = "handler.connector/v1"
name = "pictured"
description = "An image"
implements = ["probe/v1"]
egress = []

[runtime]
image = "${TAG}"
argv = ["/bin/deno", "run", "-A", "--no-config", "/opt/own/main.js"]
`;
    await using home = await startHome({ driver: "podman" });
    await Deno.mkdir(`${home.path}/data/connectors/pictured`, { recursive: true });
    await Deno.writeTextFile(`${home.path}/data/connectors/pictured/connector.toml`, manifest);
    await home.trust("pictured");
    for (const [name, text] of Object.entries(files)) await home.write(name, text);
    await home.client.reload();
    using wire = await home.wire("desk");
    const answer = await wire.call("probe_act", { act: "say", text: "hello" });
    assert.equal(codeOf(answer), undefined, JSON.stringify(answer));
    assert.match(JSON.stringify(answer), /from the image: hello/);
    await home.stop("SIGTERM");
  },
});
