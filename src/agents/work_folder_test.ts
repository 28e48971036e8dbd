import assert from "node:assert/strict";
import { HandlerError } from "../base/mod.ts";
import type { ProjectConfig } from "../config/mod.ts";
import { workFolder } from "./work_folder.ts";

Deno.test("a work folder is a folder that neither holds nor lies in one of Handler's own, links followed", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const folders = {
    config: `${home}/.config/h`,
    data: `${home}/.data/h`,
    state: `${home}/.state/h`,
    runtime: `${home}/run`,
  };
  for (const folder of [...Object.values(folders), `${home}/work/books`]) {
    Deno.mkdirSync(folder, { recursive: true });
  }
  Deno.writeTextFileSync(`${home}/file`, "");
  Deno.symlinkSync(`${home}/work/books`, `${home}/link`);
  Deno.symlinkSync(home, `${home}/work/home`);
  const tried = (path: string) =>
    workFolder({ name: "p", file: "/c/p.toml", path } as unknown as ProjectConfig, folders);
  assert.equal(await tried(`${home}/work/books`), `${home}/work/books`);
  assert.equal(await tried(`${home}/link`), `${home}/work/books`);
  const refusals: readonly (readonly [string, RegExp])[] = [
    [`${home}/none`, /no such folder/],
    [`${home}/file`, /not a folder/],
    ["/", /whole machine/],
    [home, /holds Handler's own folder/],
    [`${home}/work/home`, /holds Handler's own folder/],
    [`${home}/.config/h`, /holds Handler's own/],
    [`${home}/run/x`, /no such folder/],
  ];
  Deno.mkdirSync(`${home}/.data/h/agents`);
  for (const [path, pattern] of [...refusals, [`${home}/.data/h/agents`, /lies in Handler's own/] as const]) {
    await assert.rejects(tried(path), (error) => {
      assert.ok(error instanceof HandlerError, String(error));
      assert.match(error.message, pattern);
      assert.deepEqual(error.where, { file: "/c/p.toml", key: "path" });
      return true;
    });
  }
  await Deno.remove(home, { recursive: true });
});
