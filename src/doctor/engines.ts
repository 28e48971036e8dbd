import { isCompiled, listFolder } from "../platform/mod.ts";
import { type Check, failed, type Finding, ok } from "./check.ts";

/** Whether the engine that ships for OCR is there, and its languages; `builds` has the bundled connectors. */
export function engineChecks(builds: string | undefined): readonly Check[] {
  return [{ name: "OCR on this machine", run: () => ocr(builds) }];
}

async function ocr(builds: string | undefined): Promise<Finding> {
  if (builds === undefined) return ok("its engine is in this program and is unpacked at the first start");
  const files = (await listFolder(`${builds}/ocr-tesseract/assets`)).map(({ name }) => name);
  const languages = files.flatMap((name) => /^(\w+)\.traineddata/.exec(name)?.[1] ?? []);
  if (!files.includes("tesseract.wasm") || languages.length === 0) {
    const hint = isCompiled
      ? "remove the folder shipped of the data folder, and start handlerd again"
      : "deno task prepare";
    return failed(`the engine or its languages are not in ${builds}`, hint);
  }
  return ok(`Tesseract is there, for ${languages.join(", ")}`);
}
