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
    // other tests run in this very process and may give memory back meanwhile: one round of several must show it
    const rounds = Array.from({ length: 8 }, () => {
      forgetPeak(Deno.pid);
      const before = peakBytes(Deno.pid);
      const filled = new Uint8Array(40e6).fill(1);
      assert.ok(residentBytes(Deno.pid) > filled.length);
      return peakBytes(Deno.pid) - before;
    });
    assert.ok(Math.max(...rounds) > 30e6, `${rounds}`);
  },
});

Deno.test("the machine has words", () => assert.match(machineWords(), /cores/));
