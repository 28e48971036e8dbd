/** `docs/security.md` lists what a plain browser lets an app's page do, as the attacks find it. */
import assert from "node:assert/strict";
import { ROOT } from "../../tools/repository.ts";
import { attacksIn, type PageAttack } from "../apps/attacks/attack.ts";

Deno.test("the page lists every way out that a plain browser leaves to an app, and no other", async () => {
  const page = await Deno.readTextFile(`${ROOT}/docs/security.md`);
  const part = page.slice(
    page.indexOf("tell somebody something by:"),
    page.indexOf("No policy of a page's own stops"),
  );
  const listed = [...part.matchAll(/^- (.+)$/gm)].map(([, line]) => line!);
  const attacks = [...await attacksIn<PageAttack>("app_page"), ...await attacksIn<PageAttack>("other_site")];
  const possible = attacks.flatMap(([, { plainLeak, what }]) => plainLeak ? [what] : []);
  assert.deepEqual(listed.toSorted(), possible.toSorted());
});
