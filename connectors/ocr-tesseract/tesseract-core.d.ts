/** The part of tesseract.js-core that is used here; the package has no types of its own. */
interface TesseractApi {
  Init(folder: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): boolean;
  SetImageFile(orientation: number, radians: number): number;
  FindLines(): number;
  /** The tilt of the lines in radians, clockwise being negative. */
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  Clear(): void;
}

interface TesseractCore {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly HEAPU8: Uint8Array;
  readonly TessBaseAPI: new () => TesseractApi;
}

interface CoreOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  /** Called again and again while a page is recognised; what it throws ends that. */
  TesseractProgress(percent: number): void;
  print(line: string): void;
  printErr(line: string): void;
}

export default function start(options: CoreOptions): Promise<TesseractCore>;
