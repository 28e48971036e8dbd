import assert from "node:assert/strict";
import { make, type Piece, stateOf, unmake } from "./piece.ts";
import { MARK } from "./units.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("pieces are new, then the same, then changed", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/source`, "program");
    const pieces: Piece[] = [
      { does: "copy", path: `${folder}/a/program`, from: `${folder}/source` },
      { does: "write", path: `${folder}/a/unit`, text: `# ${MARK}\none\n`, mode: 0o644 },
      { does: "link", path: `${folder}/a/link`, target: "program" },
    ];
    for (const piece of pieces) assert.equal(await stateOf(piece, []), "new");
    const made = [];
    for (const piece of pieces) made.push(await make(piece));
    for (const piece of pieces) assert.equal(await stateOf(piece, made), "same", piece.path);
    assert.equal((await Deno.stat(`${folder}/a/program`)).mode! & 0o777, 0o755);
    await Deno.writeTextFile(`${folder}/source`, "another");
    const others: Piece[] = [
      pieces[0]!,
      { does: "write", path: `${folder}/a/unit`, text: "two", mode: 0o644 },
      { does: "link", path: `${folder}/a/link`, target: "elsewhere" },
    ];
    for (const piece of others) {
      assert.equal(await stateOf(piece, made), "changed", piece.path);
      await make(piece);
      assert.equal(await stateOf(piece, []), "same", piece.path);
    }
  }));

Deno.test("what something else made is taken, whatever the piece is", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "mine");
    await Deno.symlink("elsewhere", `${folder}/link`);
    await Deno.mkdir(`${folder}/folder`);
    for (const name of ["file", "link", "folder"]) {
      const path = `${folder}/${name}`;
      assert.equal(await stateOf({ does: "link", path, target: "handlerd" }, []), "taken");
      assert.equal(await stateOf({ does: "write", path, text: "x", mode: 0o644 }, []), "taken");
      assert.equal(await stateOf({ does: "copy", path, from: "/bin/sh" }, []), "taken");
    }
    const listed = [{ path: `${folder}/folder`, kind: "file", mark: "" }] as const;
    assert.equal(
      await stateOf({ does: "write", path: `${folder}/folder`, text: "x", mode: 0o644 }, listed),
      "taken",
    );
  }));

Deno.test("a link takes the place of a program that was copied before, and the other way round", () =>
  inFolder(async (folder) => {
    const path = `${folder}/program`;
    await Deno.writeTextFile(`${folder}/source`, "program");
    const copy: Piece = { does: "copy", path, from: `${folder}/source` };
    const link: Piece = { does: "link", path, target: `${folder}/source` };
    const first = await make(copy);
    assert.equal(await stateOf(link, [first]), "changed");
    const second = await make(link);
    assert.equal(await Deno.readLink(path), `${folder}/source`);
    assert.equal(await stateOf(copy, [second]), "changed");
    await make(copy);
    assert.ok((await Deno.lstat(path)).isFile);
    assert.equal(await Deno.readTextFile(`${folder}/source`), "program");
  }));

Deno.test("only what is as it was made is taken away", () =>
  inFolder(async (folder) => {
    const path = `${folder}/unit`;
    const made = await make({ does: "write", path, text: "one", mode: 0o644 });
    await Deno.writeTextFile(path, "edited");
    assert.equal(await unmake(made), "changed");
    assert.equal(await Deno.readTextFile(path), "edited");
    await Deno.writeTextFile(path, "one");
    assert.equal(await unmake(made), "removed");
    assert.equal(await unmake(made), "gone");
    const link = await make({ does: "link", path, target: "a" });
    await Deno.remove(path);
    await Deno.symlink("b", path);
    assert.equal(await unmake(link), "changed");
  }));
