import assert from "node:assert/strict";
import { tiffHead, tiffPage, tiffPages } from "./tiff.ts";

/** A TIFF of directories alone, each with these tags; `next` overrides where the last one points. */
function tiff(
  pages: readonly Readonly<Record<number, number>>[],
  little: boolean,
  next = 0,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(1024));
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  let at = 8;
  pages.forEach((tags, page) => {
    const entries = Object.entries(tags);
    view.setUint16(at, entries.length, little);
    entries.forEach(([tag, value], index) => {
      const entry = at + 2 + 12 * index;
      view.setUint16(entry, Number(tag), little);
      view.setUint16(entry + 2, value > 0xffff ? 4 : 3, little);
      view.setUint32(entry + 4, 1, little);
      if (value > 0xffff) view.setUint32(entry + 8, value, little);
      else view.setUint16(entry + 8, value, little);
    });
    at += 2 + 12 * entries.length + 4;
    view.setUint32(at - 4, page === pages.length - 1 ? next : at, little);
  });
  return new Uint8Array(view.buffer).slice(0, at);
}

const A4 = { 256: 1654, 257: 2339 };

Deno.test("pages and what they say of themselves are read in both byte orders", () => {
  for (const little of [true, false]) {
    const file = tiff([A4, { 256: 100_000, 257: 10, 259: 8, 262: 2, 274: 6 }], little);
    const pages = tiffPages(file);
    assert.equal(pages.length, 2);
    assert.deepEqual(pages.map((page) => tiffHead(file, page)), [
      { width: 1654, height: 2339, compression: 1, colours: 1, orientation: 1 },
      { width: 100_000, height: 10, compression: 8, colours: 2, orientation: 6 },
    ]);
  }
});

Deno.test("one page taken apart is the only one", () => {
  const file = tiff([A4, { 256: 20, 257: 30 }, A4], true);
  const [, second = 0] = tiffPages(file);
  const alone = tiffPage(file, second);
  assert.deepEqual(tiffPages(alone), [second]);
  assert.equal(tiffHead(alone, second)?.width, 20);
  assert.equal(tiffPages(file).length, 3);
});

Deno.test("a chain that leads in a circle ends, and one that leads out of the file too", () => {
  assert.equal(tiffPages(tiff([A4, A4], true, 8)).length, 2);
  assert.equal(tiffPages(tiff([A4], true, 0xffffff)).length, 1);
});

Deno.test("a page without a size or cut off has no head", () => {
  const file = tiff([{ 256: 10 }], true);
  assert.equal(tiffHead(file, 8), undefined);
  assert.equal(tiffHead(file, 5000), undefined);
  assert.deepEqual(tiffPages(new Uint8Array([0x49, 0x49, 0x2a])), []);
});
