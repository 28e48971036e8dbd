import assert from "node:assert/strict";
import { isOlder } from "./version.ts";

Deno.test("versions in their order", () => {
  const order = ["0.1.0-rc.2", "0.1.0-rc.10", "0.1.0", "0.1.1", "0.2.0", "0.10.0", "1.0.0-beta", "1.0.0"];
  for (const [at, one] of order.entries()) {
    for (const [index, other] of order.entries()) {
      assert.equal(isOlder(one, other), at < index, `${one} ${other}`);
    }
  }
});
