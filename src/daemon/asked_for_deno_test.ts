import assert from "node:assert/strict";
import type { MainConfig } from "../config/mod.ts";
import { askedForDeno } from "./asked_for_deno.ts";

const main = (sandbox: MainConfig["sandbox"], denoDriverFor: readonly string[]) =>
  ({ sandbox, denoDriverFor }) as MainConfig;

Deno.test("Deno's permissions alone hold a connector of one's own only where somebody asked for that", () => {
  const own = { kind: "connector", name: "ocr-mine", shipped: false } as const;
  assert.throws(() => askedForDeno(own, main("auto", [])), { kind: "denied", hint: /denoDriverFor/ });
  assert.throws(() => askedForDeno(own, main("auto", ["other"])), { kind: "denied" });
  askedForDeno(own, main("auto", ["ocr-mine"]));
  askedForDeno(own, main("deno", []));
  askedForDeno({ kind: "connector", name: "ocr-tesseract", shipped: true }, main("auto", []));
});

Deno.test("and so it is with an app", () => {
  const app = { kind: "app", name: "notes", shipped: false } as const;
  assert.throws(() => askedForDeno(app, main("auto", [])), {
    kind: "denied",
    message: /^the app notes was not started/,
    hint: /denoDriverFor = \["notes"\]/,
  });
  askedForDeno(app, main("auto", ["notes"]));
});
