import assert from "node:assert/strict";
import { checkConnector, failures } from "./check_support.ts";

for (const driver of ["bubblewrap", "deno"] as const) {
  Deno.test(`check under ${driver}: ocr-tesseract passes every case of ocr/v1 and reaches nothing outside`, async () => {
    const nothing = { settings: {}, secrets: {}, dial: {}, caPem: "", userConnectors: "" };
    const checked = await checkConnector({ ...nothing, driver, connector: "ocr-tesseract" });
    assert.deepEqual(failures(checked), []);
    assert.ok(checked.reports[0]?.passed);
    assert.deepEqual(checked.egress, []);
    assert.ok(checked.records.some(({ units }) => units["pages"] === 3));
  });
}
