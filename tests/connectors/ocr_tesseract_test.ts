/** Tesseract as the router sees it: the built connector in its own process with the permissions of its sandbox. */
import assert from "node:assert/strict";
import { prepare } from "../../tools/prepare.ts";
import { ROOT } from "../../tools/repository.ts";
import {
  type CallOptions,
  type CallResult,
  errorOf,
  type RunningConnector,
  startConnector,
} from "./harness.ts";
import { scannedPdf } from "./scanned_pdf.ts";
import { wordErrorRate } from "./word_errors.ts";

interface Page {
  readonly text: string;
  readonly blocks: readonly { readonly text: string; readonly bbox: readonly number[] }[];
}

const SAMPLES = `${ROOT}/interfaces/ocr/v1/conformance`;
const MORE = `${ROOT}/tests/fixtures/ocr`;
const BUILT = `${ROOT}/build/connectors/ocr-tesseract`;

await prepare({ root: ROOT, say: () => {} });
const truth = await Deno.readTextFile(`${ROOT}/tests/fixtures/invoice.truth.txt`);
const scan = { jpeg: await Deno.readFile(`${SAMPLES}/invoice-scan.jpg`), width: 1684, height: 2361 };

async function withConnector(
  use: (connector: RunningConnector) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const connector = await startConnector({
    entry: "build/connectors/ocr-tesseract/main.js",
    env,
    net: [],
    permissions: [`--allow-read=${BUILT}`],
  });
  try {
    await use(connector);
  } finally {
    await connector.stop();
  }
}

async function read(
  connector: RunningConnector,
  file: string | Uint8Array,
  options: CallOptions & { readonly languages?: readonly string[] } = {},
): Promise<CallResult> {
  const bytes = typeof file === "string" ? await Deno.readFile(file) : file;
  const path = await connector.stage(bytes, "application/octet-stream");
  const { languages, ...how } = options;
  return await connector.call("ocr_extract", { path, ...(languages ? { languages } : {}) }, how);
}

function pagesOf(result: CallResult): readonly Page[] {
  assert.ok(!result.isError, result.content[0]?.text);
  return result.structuredContent?.["pages"] as readonly Page[];
}

function assertReadWell(page: Page | undefined): void {
  const rate = wordErrorRate(truth, page?.text ?? "");
  assert.ok(rate <= 0.01, `${(rate * 100).toFixed(1)} % of the words are wrong`);
}

Deno.test("a scanned PDF and a photo of it are read with at most one wrong word in a hundred", () =>
  withConnector(async (connector) => {
    for (const name of ["invoice-scan.pdf", "invoice-scan.jpg"]) {
      const result = await read(connector, `${SAMPLES}/${name}`);
      const [page, ...others] = pagesOf(result);
      assert.deepEqual(others, []);
      assertReadWell(page);
      assert.ok(page?.text.includes("1,084.85"));
      assert.deepEqual(result._meta?.["handler/units"], { pages: 1 });
    }
  }));

Deno.test("blocks are lines with their place, in pixels at 200 dpi for a PDF", () =>
  withConnector(async (connector) => {
    for (const name of ["invoice-scan.pdf", "invoice.pdf"]) {
      const [page] = pagesOf(await read(connector, `${SAMPLES}/${name}`));
      assert.equal(page?.blocks.map(({ text }) => text).join("\n"), page?.text.replace(/\n+/g, "\n").trim());
      let last = 0;
      for (const { bbox: [left = -1, top = -1, right = 0, bottom = 0] } of page?.blocks ?? []) {
        assert.ok(left >= 0 && left < right && right <= 1654, "within the width of A4");
        assert.ok(top >= last - 10 && top < bottom && bottom <= 2339, "within the height, downwards");
        last = top;
      }
    }
  }));

Deno.test("PNG, every common TIFF, and pages with an orientation are read", () =>
  withConnector(async (connector) => {
    const [receipt] = pagesOf(await read(connector, `${SAMPLES}/receipt.png`));
    assert.match(receipt?.text ?? "", /RECEIPT[^]*17\.60/);
    const pages = pagesOf(await read(connector, `${SAMPLES}/three-pages.tiff`));
    assert.deepEqual(pages.map(({ text }) => text.match(/Alpha|Bravo|Charlie/)?.[0]), [
      "Alpha",
      "Bravo",
      "Charlie",
    ]);
    const [rotated] = pagesOf(await read(connector, `${SAMPLES}/rotated.pdf`));
    assert.match(rotated?.text ?? "", /Delivery note DN-5521/);
    for (const name of ["deflate.tiff", "jpeg.tiff", "fax.tiff", "turned.jpg"]) {
      const [page] = pagesOf(await read(connector, `${MORE}/${name}`));
      assert.match(page?.text ?? "", /INV-2024-0815[^]*Gloucester GL2 9PW/, name);
    }
  }));

Deno.test("a page that lies on its side, on its head or crooked is read all the same", () =>
  withConnector(async (connector) => {
    const pages = [{ scan, turnedBy: 180 }, { scan, turnedBy: 4 }, { scan, rotate: 180 }, {
      scan,
      turnedBy: 90,
    }];
    const read4 = pagesOf(await read(connector, scannedPdf(pages)));
    for (const page of read4.slice(0, 3)) assertReadWell(page);
    // across the page it is a third smaller, and so harder to read
    assert.ok(wordErrorRate(truth, read4[3]?.text ?? "") < 0.1);
  }));

Deno.test("a page's own text is taken, unless it is only a stamp on a scan", () =>
  withConnector(async (connector) => {
    const text = ["A letter whose text is in the file itself", "and needs no reading."];
    const file = scannedPdf([{ text }, { scan, text: ["Scanned on 3 May 2024 by the front desk"] }, {}]);
    const [letter, stamped, blank] = pagesOf(await read(connector, file));
    assert.equal(letter?.text, text.join("\n") + "\n");
    assert.match(stamped?.text ?? "", /Meadowbrook Primary School/);
    assert.deepEqual(blank, { text: "", blocks: [] });
    const [form] = pagesOf(await read(connector, `${MORE}/form.pdf`));
    assert.match(form?.text ?? "", /Name of the participant:[^]*Rosalind Franklin/);
  }));

Deno.test("an empty page is a page without text", () =>
  withConnector(async (connector) => {
    assert.deepEqual(pagesOf(await read(connector, `${SAMPLES}/empty-page.pdf`)), [{ text: "", blocks: [] }]);
  }));

Deno.test("languages are used together, and one without data is passed over", () =>
  withConnector(async (connector) => {
    const file = `${SAMPLES}/two-languages.pdf`;
    const [english, german] = pagesOf(await read(connector, file, { languages: ["en", "de"] }));
    assert.match(english?.text ?? "", /delivered on Tuesday/);
    assert.match(german?.text ?? "", /Größe[^]*Straße/);
    const [, again] = pagesOf(await read(connector, file, { languages: ["qq", "de"] }));
    assert.match(again?.text ?? "", /Größe/);
    assert.equal(pagesOf(await read(connector, file, { languages: ["qq"] })).length, 2);
  }));

Deno.test("OCR_LANGUAGES says what a call without languages is read with", () =>
  withConnector(async (connector) => {
    const [, german] = pagesOf(await read(connector, `${SAMPLES}/two-languages.pdf`));
    assert.match(german?.text ?? "", /Größe/);
  }, { OCR_LANGUAGES: "de+en" }));

Deno.test("what is no whole PDF or image is refused as that, and the next call is served", () =>
  withConnector(async (connector) => {
    const half = scan.jpeg.slice(0, scan.jpeg.length / 2);
    const bomb = Uint8Array.from(await Deno.readFile(`${SAMPLES}/receipt.png`));
    for (const at of [16, 20]) new DataView(bomb.buffer).setUint32(at, 60_000);
    const refused: readonly (readonly [string | Uint8Array, string])[] = [
      [`${SAMPLES}/archive.zip`, "unsupported_format"],
      [`${SAMPLES}/truncated.pdf`, "unsupported_format"],
      [`${SAMPLES}/password.pdf`, "unsupported_format"],
      [half, "unsupported_format"],
      [new Uint8Array(), "unsupported_format"],
      [new TextEncoder().encode("II*\0\xff\xff"), "unsupported_format"],
      [bomb, "too_large"],
    ];
    for (const [file, code] of refused) {
      const { error, message } = errorOf(await read(connector, file));
      assert.equal(error, code, message);
    }
    assert.equal(pagesOf(await read(connector, `${SAMPLES}/receipt.png`)).length, 1);
    assert.equal(connector.log(), "");
  }));

Deno.test("ten pages come back in order, with progress, in bounded memory", () =>
  withConnector(async (connector) => {
    const pages = Array.from(
      { length: 10 },
      (_, at) => at % 5 > 1 ? { text: [`This is page number ${at + 1} of ten`] } : { scan },
    );
    const progress: unknown[] = [];
    const result = await read(connector, scannedPdf(pages), {
      onProgress: (note) => progress.push(note["progress"]),
    });
    const found = pagesOf(result);
    assert.equal(found.length, 10);
    found.forEach((page, at) =>
      at % 5 > 1 ? assert.match(page.text, new RegExp(`number ${at + 1} of`)) : assertReadWell(page)
    );
    assert.deepEqual(progress, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(result._meta?.["handler/units"], { pages: 10 });
    const status = await Deno.readTextFile(`/proc/${connector.pid}/status`);
    const peak = Number(status.match(/VmHWM:\s*(\d+) kB/)?.[1]) / 1024;
    assert.ok(peak < 1024, `${peak} MiB`);
  }, { OCR_WORKERS: "4" }));

Deno.test("a cancelled call stops working at once, and the next call is served", () =>
  withConnector(async (connector) => {
    const controller = new AbortController();
    const many = scannedPdf(Array.from({ length: 20 }, () => ({ scan })));
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const cancelled = read(connector, many, { signal: controller.signal, onProgress: () => begin() });
    await Promise.race([begun, cancelled]);
    controller.abort(new Error("no longer wanted"));
    await assert.rejects(cancelled, /no longer wanted/);
    const used = await processorSecondsUntilIdle(connector.pid);
    // two workers, and twenty pages of one and a half seconds each that nobody waits for any more
    assert.ok(used < 2, `it worked ${used} s after the cancel`);
    assertReadWell(pagesOf(await read(connector, `${SAMPLES}/invoice-scan.pdf`))[0]);
    assert.equal(connector.log(), "");
  }));

/** What a process still works, in processor seconds, until it does nothing for half a second. */
async function processorSecondsUntilIdle(pid: number): Promise<number> {
  const start = await processorSeconds(pid);
  for (let last = start;;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await processorSeconds(pid);
    if (now - last < 0.05) return now - start;
    last = now;
  }
}

async function processorSeconds(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13).map(Number);
  return (user + system) / 100;
}
