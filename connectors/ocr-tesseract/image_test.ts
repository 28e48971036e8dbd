import assert from "node:assert/strict";
import { imageHead } from "./image.ts";

/** `FF D8`, an EXIF segment with one tag, then the frame header of an image of 40 by 30 pixels. */
function jpeg(orientation: number, little: boolean, between: readonly number[] = []): Uint8Array {
  const number = (value: number, size: number) => {
    const bytes = Array.from({ length: size }, (_, at) => (value >> (8 * at)) & 255);
    return little ? bytes : bytes.reverse();
  };
  const tiff = [
    ...(little ? [0x49, 0x49] : [0x4d, 0x4d]),
    ...number(42, 2),
    ...number(8, 4),
    ...number(1, 2),
    ...number(0x0112, 2),
    ...number(3, 2),
    ...number(1, 4),
    ...number(orientation, 2),
    ...number(0, 2),
    ...number(0, 4),
  ];
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...between, ...frame]);
}

Deno.test("a JPEG's size and orientation are read in both byte orders", () => {
  for (const little of [true, false]) {
    assert.deepEqual(imageHead(jpeg(6, little)), { width: 40, height: 30, orientation: 6 });
  }
});

Deno.test("an orientation that is none, and fill bytes between segments, do no harm", () => {
  assert.deepEqual(imageHead(jpeg(9, true)), { width: 40, height: 30, orientation: 1 });
  assert.deepEqual(imageHead(jpeg(3, true, [0xff, 0xff])), { width: 40, height: 30, orientation: 3 });
});

Deno.test("a PNG's size is read", () => {
  const png = new Uint8Array(33);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(png.buffer).setUint32(16, 800);
  new DataView(png.buffer).setUint32(20, 600);
  assert.deepEqual(imageHead(png), { width: 800, height: 600, orientation: 1 });
});

Deno.test("what is cut off or something else has no head", () => {
  const whole = jpeg(6, true);
  for (let length = 0; length < whole.length - 6; length++) {
    assert.equal(imageHead(whole.subarray(0, length)), undefined, `${length} bytes`);
  }
  assert.equal(imageHead(new TextEncoder().encode("%PDF-1.7 and more")), undefined);
});
