import assert from "node:assert/strict";
import { visit } from "../../ask.ts";
import { backend } from "../../small_app.ts";
import type { BackendAttack } from "../attack.ts";

export const attack: BackendAttack = {
  from: "backend",
  what: "files of the machine and what its processes hold",
  server: backend(`
  const secret = new URL(request.url).searchParams.get("secret");
  const paths = [secret, "/etc/shadow", "/root", "/home", "/var/lib", "/proc/1/environ", "/proc/1/root" + secret,
    "/proc/self/root/.." + secret, "/dev/mem", "/sys/kernel", "/run/user"];
  const got = [];
  for (const path of paths) {
    try { Deno.readTextFileSync(path); got.push(path); } catch {}
    try { if (Array.from(Deno.readDirSync(path)).length > 0) got.push(path + "/"); } catch {}
  }
  for (const path of ["/x", "/opt/app/x", "/opt/handler/x", "/etc/x", "/usr/x"]) {
    try { Deno.writeTextFileSync(path, "x"); got.push("wrote " + path); } catch {}
  }
  const environment = Object.keys(Deno.env.toObject()).filter((name) => !/^(HANDLER_|DENO|PATH$|PWD$|HOME$|LANG$|TMPDIR$|HOSTNAME$|TERM$|container$|NO_COLOR$)/.test(name));
  return Response.json([...got, ...environment]);
`),
  async attempt(desk) {
    await Deno.writeTextFile(`${desk.root}/secret`, "precious");
    const page = await visit(desk, "evil");
    const got: string[] = JSON.parse((await page.ask({ path: `/api/x?secret=${desk.root}/secret` })).text);
    // its own first process is what /proc/1 is inside
    assert.deepEqual(
      got.filter((what) => what !== "/proc/1/environ" && !/^\/(sys|run|var|home|root)/.test(what)),
      [],
    );
    assert.ok(!got.some((what) => what.includes("secret")));
  },
};
