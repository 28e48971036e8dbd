import assert from "node:assert/strict";
import { seccompFilter } from "./filter.ts";

/** Runs a filter as the kernel does, over a call and its arguments. */
function verdict(
  filter: Uint8Array,
  architecture: number,
  number: number,
  ...args: readonly number[]
): number {
  const code = new DataView(filter.buffer);
  let loaded = 0;
  for (let at = 0;; at++) {
    const operation = code.getUint16(at * 8, true);
    const operand = code.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean) => at += code.getUint8(at * 8 + (holds ? 2 : 3));
    if (operation === 0x06) return operand;
    if (operation === 0x20) {
      loaded = operand === 0 ? number : operand === 4 ? architecture : args[(operand - 16) / 8]!;
    }
    if (operation === 0x15) jump(loaded === operand);
    if (operation === 0x35) jump(loaded >= operand);
    if (operation === 0x45) jump((loaded & operand) !== 0);
  }
}

const ALLOWED = 0x7fff0000;
const failsWith = (error: number) => 0x00050000 | error;

Deno.test("what a sandbox needs is let through, the rest of the list is refused", () => {
  for (
    const [arch, audit, calls] of [
      ["x86_64", 0xc000003e, { read: 0, mount: 165, keyctl: 250, clone: 56, socket: 41, ioctl: 16 }],
      ["aarch64", 0xc00000b7, { read: 63, mount: 40, keyctl: 219, clone: 220, socket: 198, ioctl: 29 }],
    ] as const
  ) {
    const filter = seccompFilter(arch)!;
    const say = (number: number, ...args: number[]) => verdict(filter, audit, number, ...args);
    assert.equal(say(calls.read, 3), ALLOWED);
    assert.equal(say(calls.mount), failsWith(1));
    assert.equal(say(calls.keyctl), failsWith(1));
    assert.equal(say(calls.clone, 0x003d0f00), ALLOWED, "a thread");
    assert.equal(say(calls.clone, 0x10000000 | 17), failsWith(1), "a user namespace");
    assert.equal(say(435), failsWith(38), "clone3");
    assert.equal(say(calls.socket, 1), ALLOWED);
    assert.equal(say(calls.socket, 10), ALLOWED);
    assert.equal(say(calls.socket, 40), failsWith(97), "vsock");
    assert.equal(say(calls.ioctl, 0, 0x5401), ALLOWED);
    assert.equal(say(calls.ioctl, 0, 0x5412), failsWith(1), "TIOCSTI");
    assert.equal(verdict(filter, 0x40000003, calls.read), failsWith(38), "a 32-bit call");
  }
  assert.equal(verdict(seccompFilter("x86_64")!, 0xc000003e, 0x40000000), failsWith(38), "x32");
  assert.equal(seccompFilter("riscv64"), undefined);
});
