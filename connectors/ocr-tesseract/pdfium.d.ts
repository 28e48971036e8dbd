/** The part of PDFium's C interface that is used here; the package's own types leave most of it out. */
export interface Pdfium {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: {
    malloc(size: number): number;
    free(at: number): void;
  };
  _FPDF_InitLibraryWithConfig(config: number): void;
  _FPDF_LoadMemDocument(at: number, size: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidth(page: number): number;
  _FPDF_GetPageHeight(page: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_Flatten(page: number, usage: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(
    object: number,
    left: number,
    bottom: number,
    right: number,
    top: number,
  ): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFText_GetCharBox(
    text: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): number;
  _FPDF_PageToDevice(
    page: number,
    startX: number,
    startY: number,
    width: number,
    height: number,
    rotate: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ): number;
  _FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    at: number,
    stride: number,
  ): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}
