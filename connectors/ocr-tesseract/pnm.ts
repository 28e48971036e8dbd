/** An image in shades of gray, one byte a pixel row by row, as a PNM file. */
export function grayImage(
  width: number,
  height: number,
  pixels: Uint8Array,
): Uint8Array {
  const head = new TextEncoder().encode(`P5 ${width} ${height} 255\n`);
  const image = new Uint8Array(head.length + pixels.length);
  image.set(head);
  image.set(pixels, head.length);
  return image;
}
