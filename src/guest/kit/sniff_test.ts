import assert from "node:assert/strict";
import { sniff } from "./sniff.ts";

const text = (value: string) => new TextEncoder().encode(value);

Deno.test("the first bytes tell the media type", () => {
  assert.equal(sniff(text("%PDF-1.7\n")), "application/pdf");
  assert.equal(sniff(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)), "image/png");
  assert.equal(sniff(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)), "image/jpeg");
  assert.equal(sniff(text("II*\0")), "image/tiff");
  assert.equal(sniff(text("MM\0*")), "image/tiff");
  assert.equal(sniff(text("PK\x03\x04")), "application/zip");
  assert.equal(sniff(text("RIFF....WAVEfmt ")), "audio/wav");
  assert.equal(sniff(text("RIFF....WEBPVP8 ")), "image/webp");
});

Deno.test("a PDF may begin with up to a kilobyte of something else", () => {
  assert.equal(sniff(text(" ".repeat(1000) + "%PDF-1.4")), "application/pdf");
  assert.equal(sniff(text(" ".repeat(2000) + "%PDF-1.4")), undefined);
});

Deno.test("what is not known has no media type", () => {
  assert.equal(sniff(new Uint8Array()), undefined);
  assert.equal(sniff(text("hello")), undefined);
  assert.equal(sniff(text("%PD")), undefined);
});
