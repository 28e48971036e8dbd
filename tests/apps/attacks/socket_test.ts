import assert from "node:assert/strict";
import { rawAsk, statusesIn, visit } from "../ask.ts";
import { makeDesk } from "../desk.ts";
import { missingDriver } from "../drivers.ts";
import { notes } from "../small_app.ts";
import { attacksIn, type SocketAttack } from "./attack.ts";

Deno.test(
  "attacks by bytes at the port of the apps",
  { ignore: missingDriver("bubblewrap") !== undefined },
  async (t) => {
    await using desk = await makeDesk();
    for (const name of ["victim", "other"]) {
      await desk.lay({ name, server: notes() });
      await desk.deploy(name);
    }
    const { port, cookie, ask } = await visit(desk, "victim");
    await ask({ method: "POST", path: "/api/notes", body: "private" });
    for (const [name, { what, request, statuses }] of await attacksIn<SocketAttack>("socket")) {
      await t.step(`${name}: ${what}`, async () => {
        const answer = await rawAsk(port, request({ port, app: "victim", cookie }), 300);
        assert.deepEqual(statusesIn(answer), statuses, answer.slice(0, 300));
        assert.doesNotMatch(answer, /private|root:/);
      });
    }
    assert.deepEqual(JSON.parse((await ask({ path: "/api/notes" })).text), ["private"]);
  },
);
