import assert from "node:assert/strict";
import { linesOf, matchLine, matchLines, updatedLines } from "./match.ts";
import { play } from "./play.ts";
import { readScript, replaceSteps } from "./script.ts";

const TEXT = `What a script is for.

$ printf 'one\\n\\ntwo\\n'; \\
  echo trouble >&2; exit 3
> one
>
> two
! trouble
= 3

# a remark
$ cat ../config/note.txt
> $ROOT is home

-- config/note.txt --
$ROOT is home
`;

Deno.test("a script is read into prose, steps and files", () => {
  const script = readScript(TEXT);
  assert.deepEqual(script.prose, ["What a script is for."]);
  assert.deepEqual(script.steps[0], {
    kind: "run",
    command: "printf 'one\\n\\ntwo\\n'; \\\n  echo trouble >&2; exit 3",
    stdout: ["one", "", "two"],
    stderr: ["trouble"],
    exit: 3,
    line: 3,
  });
  assert.equal(script.files.get("config/note.txt"), "$ROOT is home\n");
  assert.throws(() => readScript("$ true\nstray\n"), /line 2 is neither/);
});

Deno.test("a script that holds plays without a difference", async () => {
  assert.deepEqual((await play(readScript(TEXT))).differences, []);
});

Deno.test("a difference shows both sides, and an update mends it", async () => {
  const wrong = TEXT.replace("> two", "> 2").replace("= 3", "= 0");
  const { differences, steps } = await play(readScript(wrong));
  assert.equal(differences.length, 1);
  assert.match(differences[0] ?? "", /line 3[\s\S]*> 2[\s\S]*> two/);
  assert.equal(replaceSteps(wrong, steps), TEXT);
});

Deno.test("placeholders stand for what differs in every run", () => {
  assert.ok(matchLine("run {{id}} took {{number}} ms", "run 01hzy3v7q8r9s0t1v2w3 took 12.5 ms"));
  assert.ok(matchLine("at {{time}}", "at 2026-01-02T03:04:05.678Z"));
  assert.ok(!matchLine("run {{id}}", "run away"));
  assert.ok(matchLine("usage: handler run <agent> [prompt]", "usage: handler run <agent> [prompt]  "));
  assert.ok(matchLine("NAME   PLACE", "NAME          PLACE"));
  assert.ok(!matchLine("NAME PLACE", "NAMEPLACE"));
  assert.throws(() => matchLine("{{colour}}", ""), /no placeholder/);
});

Deno.test("a line of dots stands for any number of lines", () => {
  assert.ok(matchLines(["a", "...", "d"], linesOf("a\nb\nc\nd\n")));
  assert.ok(matchLines(["a", "..."], ["a"]));
  assert.ok(!matchLines(["a", "...", "d"], ["a", "b"]));
});

Deno.test("an update keeps the placeholders that fit", () => {
  assert.deepEqual(updatedLines(["run {{id}}", "old"], ["run 01hzy3v7q8r9s0t1v2w3", "new"]), [
    "run {{id}}",
    "new",
  ]);
});
