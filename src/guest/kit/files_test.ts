import assert from "node:assert/strict";
import { type HandlerFile, type HandlerOutput, openInput } from "./files.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "kit-files-" });
  try {
    await Deno.mkdir(`${folder}/in`);
    await Deno.mkdir(`${folder}/out`);
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const signal = new AbortController().signal;

Deno.test("a file gives its bytes in three forms, wherever it stands in the input", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/in/one`, "hello");
    const wire = { $file: "one", size: 5, mediaType: "text/plain" };
    const { value, files } = openInput({ list: [{ deep: wire }], other: 1 }, folder, signal);
    const file = (value as { list: { deep: HandlerFile }[] }).list[0]?.deep as HandlerFile;
    assert.deepEqual(files, [file]);
    assert.equal(file.size, 5);
    assert.equal(file.mediaType, "text/plain");
    assert.equal(new TextDecoder().decode(await file.bytes()), "hello");
    assert.equal(await new Response(await file.stream()).text(), "hello");
    assert.equal(await file.base64(), "aGVsbG8=");
  }));

Deno.test("an output takes bytes, text and streams, and the last write counts", () =>
  withFolder(async (folder) => {
    const { value, written } = openInput({ to: { $output: "two" } }, folder, signal);
    const { to } = value as { to: HandlerOutput };
    await to.write("something longer", "text/plain");
    await to.write(Uint8Array.of(1, 2, 3), "application/x-three");
    assert.deepEqual(await Deno.readFile(`${folder}/out/two`), Uint8Array.of(1, 2, 3));
    assert.deepEqual([...written], [["two", { mediaType: "application/x-three", size: 3 }]]);
    await to.write(new Blob(["stream"]).stream(), "text/plain");
    assert.equal(await Deno.readTextFile(`${folder}/out/two`), "stream");
  }));

Deno.test("a cancelled call writes no further", () =>
  withFolder(async (folder) => {
    const controller = new AbortController();
    const { value, written } = openInput({ $output: "three" }, folder, controller.signal);
    const endless = new ReadableStream<Uint8Array>({
      pull(stream) {
        stream.enqueue(new Uint8Array(10));
        controller.abort(new Error("cancelled"));
      },
    });
    await assert.rejects((value as HandlerOutput).write(endless, "text/plain"), /cancelled/);
    await assert.rejects((value as HandlerOutput).write("more", "text/plain"), /cancelled/);
    assert.equal(written.size, 0);
  }));

Deno.test("an id that is more than a name is refused", () => {
  for (const id of ["../in/one", "a/b", "", ".", "x".repeat(200)]) {
    assert.throws(() => openInput({ $file: id }, "/nowhere", signal), /a file's id/);
    assert.throws(() => openInput({ $output: id }, "/nowhere", signal), /a file's id/);
  }
});

Deno.test("everything else passes as it is", () => {
  const input = { a: [1, "two", null, true, { b: {} }], $file: 5 };
  assert.deepEqual(openInput(input, "/nowhere", signal).value, input);
});
