import assert from "node:assert/strict";
import { elfEnd } from "./carried.ts";

Deno.test({
  name: "a program's own end does not move with what is added to it",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.copyFile(await Deno.realPath("/bin/true"), `${folder}/true`);
      const end = await elfEnd(`${folder}/true`);
      assert.equal(end, (await Deno.stat(`${folder}/true`)).size);
      await Deno.writeFile(`${folder}/true`, new Uint8Array(1000), { append: true });
      assert.equal(await elfEnd(`${folder}/true`), end);
      await Deno.writeTextFile(
        `${folder}/text`,
        "no program at all, but more than sixty-four bytes of plain text in a file",
      );
      await assert.rejects(elfEnd(`${folder}/text`), /no ELF file/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
