import assert from "node:assert/strict";
import { fileRow, storeWithThread } from "./testing.ts";

Deno.test("files of a thread are put, replaced, removed and listed by path", async () => {
  using store = await storeWithThread();
  const folder = fileRow("/attachments", { isDirectory: true, size: 0 });
  const scan = fileRow("/attachments/scan.pdf", { metadata: `{"pages":2}`, updatedAt: 7 });
  await store.write("process", (tx) => {
    tx.putFile(fileRow("/attachments/scan.pdf"));
    tx.putFile(folder);
    tx.putFile(fileRow("/gone"));
    tx.putFile(scan);
    tx.removeFile("t1", "/gone");
  });
  assert.deepEqual(store.files("t1"), [folder, scan]);
  assert.deepEqual(store.file("t1", "/attachments/scan.pdf"), scan);
  assert.equal(store.file("t1", "/gone"), undefined);
  assert.equal(store.file("t9", "/gone"), undefined);
  assert.deepEqual(store.files("t9"), []);
});
