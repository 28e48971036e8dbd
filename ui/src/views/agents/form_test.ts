import assert from "node:assert/strict";
import { envOf, envText, linesOf } from "./form.ts";

Deno.test("a command is a word a line", () => {
  assert.deepEqual(linesOf(" /bin/sh\n-c\n\necho hello world \n"), ["/bin/sh", "-c", "echo hello world"]);
});

Deno.test("variables go there and back", () => {
  const env = { A: "1", B: "a=b c", C: "" };
  assert.deepEqual(envOf(envText(env)), env);
  assert.deepEqual(envOf("ONLY\n X = y"), { ONLY: "", X: " y" });
});
