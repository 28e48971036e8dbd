import assert from "node:assert/strict";
import { freePath } from "./paths.ts";

Deno.test("a file keeps its name, unless that is taken or is no name", () => {
  assert.equal(freePath("scan.pdf", new Set()), "/attachments/scan.pdf");
  const taken = new Set(["/attachments/scan.pdf", "/attachments/scan-2.pdf", "/attachments/notes"]);
  assert.equal(freePath("scan.pdf", taken), "/attachments/scan-3.pdf");
  assert.equal(freePath("notes", taken), "/attachments/notes-2");
  assert.equal(freePath("../a\\b/c.txt", new Set()), "/attachments/_a_b_c.txt");
  assert.equal(freePath("..", new Set()), "/attachments/file");
});
