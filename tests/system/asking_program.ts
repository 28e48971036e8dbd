/**
 * Asks the server on a unix socket from twelve loops at once until 300 requests have failed, and prints what came of them.
 * Says "asking" once the first answers are there.
 * @module
 */
import { HandlerError } from "../../src/base/mod.ts";
import { httpClientUnix } from "../../src/platform/mod.ts";

const [socket, url] = Deno.args as [string, string];
const LOOPS = 12, ANSWERS = 100, FAILURES = 300;

const outcome = { answered: 0, failed: 0, longestMs: 0, kinds: [] as string[] };
const kinds = new Set<string>();
using client = httpClientUnix(socket);

async function ask(n: number): Promise<void> {
  const since = performance.now();
  try {
    const response = await client.fetch(
      url,
      n % 2 === 0 ? {} : { method: "POST", body: "a secret".repeat(100) },
    );
    await response.text().catch((error) => kinds.add(`body: ${error.message}`));
    if (++outcome.answered === ANSWERS) console.log("asking");
  } catch (error) {
    kinds.add(error instanceof HandlerError ? error.kind : String(error));
    outcome.failed++;
    outcome.longestMs = Math.max(outcome.longestMs, performance.now() - since);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

await Promise.all(Array.from({ length: LOOPS }, async (_, n) => {
  while (outcome.failed < FAILURES) await ask(n);
}));
console.log(JSON.stringify({ ...outcome, kinds: [...kinds].filter((kind) => !kind.startsWith("body: ")) }));
