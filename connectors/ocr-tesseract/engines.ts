import type { Engines } from "./protocol.ts";

/** Compiles both engines, once for all workers. */
export async function loadEngines(assets: URL): Promise<Engines> {
  const [tesseract, pdfium] = await Promise.all(
    ["tesseract.wasm", "pdfium.wasm"].map(async (name) =>
      await WebAssembly.compile(await Deno.readFile(new URL(name, assets)))
    ),
  );
  if (!tesseract || !pdfium) throw new Error("an engine is missing");
  return { tesseract, pdfium, assets: assets.href };
}
