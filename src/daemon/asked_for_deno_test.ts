import assert from "node:assert/strict";
import type { MainConfig } from "../config/mod.ts";
import { askedForDeno } from "./asked_for_deno.ts";

const main = (sandbox: MainConfig["sandbox"], denoDriverFor: readonly string[]) =>
  ({ sandbox, denoDriverFor }) as MainConfig;

Deno.test("Deno's permissions alone hold a connector of one's own only where somebody asked for that", () => {
  const own = { name: "ocr-mine", origin: "user" } as const;
  assert.throws(() => askedForDeno(own, main("auto", [])), { kind: "denied", hint: /denoDriverFor/ });
  assert.throws(() => askedForDeno(own, main("auto", ["other"])), { kind: "denied" });
  askedForDeno(own, main("auto", ["ocr-mine"]));
  askedForDeno(own, main("deno", []));
  askedForDeno({ name: "ocr-tesseract", origin: "shipped" }, main("auto", []));
});
