/** `docs/security.md` says of each driver what `handler doctor` says. */
import assert from "node:assert/strict";
import { NOT_STOPPED } from "../../src/sandbox/deno/not_stopped.ts";
import { notStopped as bubblewrap } from "../../src/sandbox/bubblewrap/not_stopped.ts";
import { notStopped } from "../../src/sandbox/podman/not_stopped.ts";
import type { PodmanSetup } from "../../src/sandbox/podman/setup.ts";
import { ROOT } from "../../tools/repository.ts";

const PAGE = await Deno.readTextFile(`${ROOT}/docs/security.md`);

/** The list items between the driver's name and the next one's. */
function listed(driver: string, next: string): readonly string[] {
  const part = PAGE.slice(PAGE.indexOf(`**${driver}**`), PAGE.indexOf(next));
  return [...part.matchAll(/^- (.+)$/gm)].map(([, line]) => line!);
}

Deno.test("the page lists for each driver what is not stopped, and nothing else", () => {
  const worst = { limits: false, user: "root", seccomp: [] as readonly string[] } as PodmanSetup;
  assert.deepEqual(listed("podman", "**bubblewrap**"), notStopped(worst));
  assert.deepEqual(
    listed("bubblewrap", "**deno**"),
    bubblewrap({ groups: undefined, filterFile: undefined, root: true }),
  );
  assert.deepEqual(listed("deno", "## Egress"), NOT_STOPPED.map(({ says }) => says));
});
