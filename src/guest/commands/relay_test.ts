import assert from "node:assert/strict";
import { Relay } from "./relay.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("a client that closes its input still gets the answer that is on its way to it", async () => {
  const asked = Promise.withResolvers<void>();
  const half = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<null>();
  const pieces = [encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')];
  const answers = [encode('{"jsonrpc":"2.0","id":1,"result":{}}\n')];
  let out = "";
  const relay = new Relay({
    stdin: {
      async read(into) {
        const piece = pieces.shift();
        if (piece) into.set(piece);
        else await half.promise; // the input ends while the answer is being written
        return piece ? piece.length : null;
      },
    },
    stdout: {
      async write(bytes) {
        half.resolve();
        await new Promise((resolve) => setTimeout(resolve, 5));
        out += new TextDecoder().decode(bytes);
        return bytes.length;
      },
    },
    connect: () =>
      Promise.resolve({
        async read(into) {
          await asked.promise;
          const answer = answers.shift();
          if (!answer) return await gone.promise;
          into.set(answer);
          return answer.length;
        },
        write(bytes) {
          asked.resolve();
          return Promise.resolve(bytes.length);
        },
        close: () => gone.resolve(null),
      }),
    retries: 0,
    pauseMs: 1,
    note: (text) => assert.fail(text),
  });
  await relay.run();
  assert.equal(out, '{"jsonrpc":"2.0","id":1,"result":{}}\n');
});
