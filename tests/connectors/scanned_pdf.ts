/**
 * Writes small PDFs of scanned pages for tests.
 * @module
 */

/** One page of A4. */
export interface ScannedPage {
  /** A JPEG that fills the page; without one the page is blank. */
  readonly scan?: { readonly jpeg: Uint8Array; readonly width: number; readonly height: number };
  /** How the scan lies on the page, in degrees clockwise. */
  readonly turnedBy?: number;
  /** The page's `/Rotate`, in degrees clockwise. */
  readonly rotate?: number;
  /** Lines of real text on top. */
  readonly text?: readonly string[];
}

const WIDTH = 595, HEIGHT = 842;

/** A PDF of these pages. */
export function scannedPdf(pages: readonly ScannedPage[]): Uint8Array<ArrayBuffer> {
  const objects = new Map<number, Uint8Array>();
  const kids = pages.map((_, index) => `${4 + index * 3} 0 R`).join(" ");
  objects.set(1, latin("<< /Type /Catalog /Pages 2 0 R >>"));
  objects.set(2, latin(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`));
  objects.set(3, latin("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"));
  pages.forEach((page, index) => addPage(objects, page, 4 + index * 3));
  return assemble(objects);
}

function addPage(objects: Map<number, Uint8Array>, page: ScannedPage, first: number): void {
  const { scan, rotate = 0, text = [] } = page;
  const resources = `<< /Font << /F 3 0 R >> ${scan ? `/XObject << /Scan ${first + 2} 0 R >>` : ""} >>`;
  objects.set(
    first,
    latin(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Rotate ${rotate} ` +
        `/Contents ${first + 1} 0 R /Resources ${resources} >>`,
    ),
  );
  const lines = text.map((line, at) => `BT /F 12 Tf 60 ${HEIGHT - 60 - 20 * at} Td (${line}) Tj ET`);
  objects.set(
    first + 1,
    stream("", latin([...(scan ? [placed(page.turnedBy ?? 0)] : []), ...lines].join("\n"))),
  );
  if (!scan) return;
  const head = `/Type /XObject /Subtype /Image /Width ${scan.width} /Height ${scan.height} ` +
    `/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`;
  objects.set(first + 2, stream(head, scan.jpeg));
}

/** Draws the scan in the middle of the page, turned, and no larger than fits when it lies across. */
function placed(degrees: number): string {
  const angle = (-degrees * Math.PI) / 180;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  const scale = degrees % 180 === 90 ? WIDTH / HEIGHT : 1;
  const numbers = (values: readonly number[]) => values.map((value) => value.toFixed(4)).join(" ");
  return [
    "q",
    `${numbers([cos, sin, -sin, cos, WIDTH / 2, HEIGHT / 2])} cm`,
    `${numbers([WIDTH * scale, 0, 0, HEIGHT * scale, (-WIDTH / 2) * scale, (-HEIGHT / 2) * scale])} cm`,
    "/Scan Do",
    "Q",
  ].join("\n");
}

function stream(head: string, content: Uint8Array): Uint8Array {
  return join([latin(`<< ${head} /Length ${content.length} >>\nstream\n`), content, latin("\nendstream")]);
}

function assemble(objects: ReadonlyMap<number, Uint8Array>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [latin("%PDF-1.4\n")];
  const offsets = new Map<number, number>();
  let at = parts[0]!.length;
  for (const [number, body] of [...objects].sort(([a], [b]) => a - b)) {
    const whole = join([latin(`${number} 0 obj\n`), body, latin("\nendobj\n")]);
    offsets.set(number, at);
    parts.push(whole);
    at += whole.length;
  }
  const size = Math.max(...objects.keys()) + 1;
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return join([...parts, latin(`xref\n0 ${size}\n${rows.join("")}${trailer}`)]);
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
