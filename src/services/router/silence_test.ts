import assert from "node:assert/strict";
import { TestClock } from "../../base/mod.ts";
import type { Message } from "../../wire/mod.ts";
import { Cancellation } from "./cancellation.ts";
import { CallFailure } from "./failure.ts";
import { type Asked, callUnlessSilent } from "./silence.ts";
import { codeOf, echoInterface, RouterRig, success } from "./testing.ts";
import type { UpstreamCall } from "./upstream.ts";

/** A call that hangs until it is cancelled, with the hands that turn it. */
function hanging() {
  const clock = new TestClock(), cancellation = new Cancellation(), told: number[] = [];
  let sent: UpstreamCall | undefined;
  const asked: Asked = {
    call: (call) => {
      sent = call;
      return new Promise<Message>((_, reject) => {
        call.cancellation.onCancel(() => reject(call.cancellation.reason));
      });
    },
  };
  const call: UpstreamCall = {
    tool: "echo_text",
    argumentsText: "{}",
    traceparent: undefined,
    onProgress: ({ progress }) => void told.push(progress),
    inPieces: false,
    cancellation,
  };
  let failure: CallFailure | undefined;
  const over = callUnlessSilent(asked, call, { clock, seconds: 10 })
    .catch((error) => void (failure = error));
  const progress = (value: number) => sent!.onProgress!({ progress: value });
  return { clock, cancellation, told, over, progress, failure: () => failure };
}

Deno.test("progress that grows resets the timer, progress that stands still does not", async () => {
  const { clock, told, progress, over, failure } = hanging();
  for (const step of [1, 2, 3]) {
    clock.tick(9_000);
    progress(step);
  }
  clock.tick(9_000);
  progress(3);
  await Promise.resolve();
  assert.equal(failure(), undefined);
  clock.tick(1_000);
  await over;
  assert.equal(failure()?.code, "unavailable");
  assert.match(failure()!.detail!, /progressSeconds: no progress for 10 s/);
  assert.deepEqual(told, [1, 2, 3, 3]);
});

Deno.test("the caller's own reason stands above", async () => {
  const { clock, cancellation, over, failure } = hanging();
  cancellation.cancel(new CallFailure("limit", "timeoutSeconds"));
  await over;
  assert.equal(failure()?.code, "limit");
  clock.tick(20_000);
});

Deno.test("a silent connector is cancelled and the next one is tried, though the caller asked for no progress", async () => {
  await using rig = await RouterRig.make();
  const cancelled = Promise.withResolvers<void>();
  rig.answers.set("hangs", async (call) => {
    await call.cancelled;
    cancelled.resolve();
  });
  rig.answers.set("works", async (call) => {
    for (let step = 1; step <= 8; step++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await call.progress(step);
    }
    return success(call.arguments);
  });
  const served = echoInterface({ progressSeconds: 0.5 });
  using client = (await rig.caller(["hangs", "works"], served)).client;
  assert.equal((await client.call("echo_text", { text: "a" })).structuredContent.text, "a");
  await cancelled.promise;
  using alone = (await rig.caller(["hangs"], served)).client;
  assert.equal(codeOf(await alone.call("echo_text", { text: "a" })), "unavailable");
  assert.match(rig.records.at(-1)!.detail!, /progressSeconds/);
});
