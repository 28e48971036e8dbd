import assert from "node:assert/strict";
import { COMMANDS } from "./commands.ts";
import { CLIENTS } from "./connect/clients.ts";
import { EXIT_WORDS } from "./exit.ts";

const PAGE = new URL("../../docs/cli.md", import.meta.url);

Deno.test("docs/cli.md names every command, exit code and client as they are", async () => {
  const page = await Deno.readTextFile(PAGE);
  for (const { words, summary, hidden } of COMMANDS) {
    const row = page.split("\n").find((line) =>
      new RegExp(`^\\| \`handler ${words.join(" ")}[ \`]`).test(line)
    );
    assert.equal(row?.endsWith(`| ${summary} |`) ?? false, !hidden, `${words.join(" ")}: ${row}`);
  }
  for (const [code, meaning] of EXIT_WORDS) assert.ok(page.includes(`| ${code} | ${meaning} |`), meaning);
  for (const { name } of CLIENTS) assert.ok(page.includes(`| \`${name}\` |`), name);
});
