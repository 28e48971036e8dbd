import assert from "node:assert/strict";
import { elfEnd, pack, run, unpack } from "../src/platform/mod.ts";
import { carry } from "./carry.ts";

Deno.test({
  name: "a program runs with a pack inside, and the pack comes out again",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const program = `${folder}/true`;
      await Deno.copyFile(await Deno.realPath("/bin/true"), program);
      await Deno.writeTextFile(program, "what Deno added", { append: true });
      await Deno.mkdir(`${folder}/shipped`);
      await Deno.writeTextFile(`${folder}/shipped/note.txt`, "carried\n");
      await Deno.writeFile(`${folder}/pack`, await pack(folder, ["shipped"], () => false));
      await carry(program, `${folder}/pack`);
      assert.equal((await run([program])).code, 0);
      assert.match(await Deno.readTextFile(program), /what Deno added$/);
      const target = await unpack({ file: program, offset: await elfEnd(program) }, `${folder}/into`);
      assert.equal(await Deno.readTextFile(`${target}/shipped/note.txt`), "carried\n");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
