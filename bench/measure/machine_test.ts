import assert from "node:assert/strict";
import { forgetPeak, machineBusyMs, machineWords, ownBusyMs, peakBytes, residentBytes } from "./machine.ts";

const LINUX = Deno.build.os === "linux";

Deno.test({
  name: "the machine was busy at least as long as this process",
  ignore: !LINUX,
  fn() {
    const own = ownBusyMs();
    assert.ok(own > 0);
    assert.ok(machineBusyMs() >= own);
  },
});

Deno.test({
  name: "the peak of a process follows what it has, from where it was forgotten",
  ignore: !LINUX,
  fn() {
    forgetPeak(Deno.pid);
    const before = peakBytes(Deno.pid);
    const filled = new Uint8Array(40e6).fill(1);
    assert.ok(peakBytes(Deno.pid) - before > 30e6);
    assert.ok(residentBytes(Deno.pid) > filled.length);
  },
});

Deno.test("the machine has words", () => assert.match(machineWords(), /cores/));
