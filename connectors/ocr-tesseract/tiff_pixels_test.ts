import assert from "node:assert/strict";
import { tiffHead, tiffPages } from "./tiff.ts";
import { isForeign, unpackTiff } from "./tiff_pixels.ts";

const FIXTURES = new URL("../../tests/fixtures/ocr/", import.meta.url);

async function firstPage(name: string) {
  const file = await Deno.readFile(new URL(name, FIXTURES));
  const head = tiffHead(file, tiffPages(file)[0] ?? 0);
  assert.ok(head);
  return { file, head };
}

Deno.test("only what Tesseract's reader cannot unpack is unpacked here", async () => {
  assert.ok(isForeign((await firstPage("deflate.tiff")).head));
  assert.ok(isForeign((await firstPage("jpeg.tiff")).head));
  assert.ok(!isForeign((await firstPage("fax.tiff")).head));
});

Deno.test("Deflate and JPEG give an image in shades of gray, mostly white as the page is", async () => {
  for (const name of ["deflate.tiff", "jpeg.tiff"]) {
    const { file, head } = await firstPage(name);
    const image = unpackTiff(file, head);
    const start = "P5 1684 700 255\n";
    assert.equal(new TextDecoder().decode(image?.subarray(0, start.length)), start);
    const pixels = image?.subarray(start.length) ?? new Uint8Array();
    assert.equal(pixels.length, 1684 * 700);
    const mean = pixels.reduce((sum, pixel) => sum + pixel, 0) / pixels.length;
    assert.ok(mean > 235 && mean < 255, `${name}: ${mean}`);
  }
});

Deno.test("a damaged file and colours that are not known give nothing", async () => {
  const { file, head } = await firstPage("deflate.tiff");
  assert.equal(unpackTiff(file, { ...head, colours: 5 }), undefined);
  const damaged = file.map((byte, at) => at > 100 && at < 5000 ? byte ^ 0x5a : byte);
  assert.equal(unpackTiff(damaged.slice(0, 20), head), undefined);
});
