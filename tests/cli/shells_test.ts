/** The completion scripts, at work in the real shells. */
import assert from "node:assert/strict";
import { findProgram } from "../../src/platform/mod.ts";
import { type Home, makeHome } from "./home.ts";
import { ShellTerminal } from "./shell_terminal.ts";

const FILES = new Map([
  ["config/projects/house.toml", 'apiVersion = "handler.project/v1"\npath = "$ROOT/work"\n'],
  [
    "config/agents/clerk.toml",
    'apiVersion = "handler.agent/v1"\nproject = "house"\nharness = "command"\ncommand = ["true"]\n',
  ],
  ["config/bindings/scans.toml", 'apiVersion = "handler.binding/v1"\nconnector = "ocr-tesseract"\n'],
  ["work/a key.txt", ""],
  ["work/papers/one.txt", ""],
]);

/** What is typed before the tabulator, and the words that the line must then have. */
const LINES: readonly (readonly [typed: string, words: readonly string[]])[] = [
  ["handler agent sh", ["agent", "show"]],
  ["handler agent show c", ["agent", "show", "clerk"]],
  ["handler interface show oc", ["interface", "show", "ocr/v1"]],
  ["handler completions fi", ["completions", "fish"]],
  ["handler secret set x --file a", ["secret", "set", "x", "--file", "a key.txt"]],
  ["handler secret set x --file=a", ["secret", "set", "x", "--file=a key.txt"]],
  ["handler project add p pap", ["project", "add", "p", "papers"]],
  ["handler connector check x --binding=sc", ["connector", "check", "x", "--binding=scans"]],
  ["handler binding select --interface=ocr sc", ["binding", "select", "--interface=ocr", "scans"]],
  ["handler binding add x --set a=b:c --connector ocr-t", [
    ...["binding", "add", "x", "--set", "a=b:c", "--connector", "ocr-tesseract"],
  ]],
  ["handler run clerk -- --de", ["run", "clerk", "--", "--de"]],
];

/** How each shell is started without anybody's settings, and takes the script in. */
const SHELLS = {
  bash: {
    command: "bash --norc --noprofile -i",
    begin:
      "PS1='ready> '; bind 'set enable-bracketed-paste off'; source <(handler completions bash); echo lo''aded\n",
  },
  zsh: {
    command: "zsh -f -i",
    begin: "PS1='ready> '; unsetopt zle_bracketed_paste prompt_sp; fpath=(~ $fpath); " +
      "handler completions zsh >~/_handler; autoload -U compinit && compinit -u -D; echo lo''aded\n",
  },
  fish: {
    command: "fish --no-config -i",
    begin: "function fish_prompt; echo -n 'ready> '; end; handler completions fish | source; echo lo''aded\n",
  },
} as const;

async function missing(program: string): Promise<string | undefined> {
  return await findProgram(program) ? undefined : `${program} is not installed`;
}

function inShell(
  shell: keyof typeof SHELLS,
  name: string,
  without: string | undefined,
  test: (terminal: ShellTerminal, home: Home) => Promise<void>,
): void {
  Deno.test({
    name: `${shell}: ${name}${without ? ` (${without})` : ""}`,
    ignore: without !== undefined && Deno.env.get("CI") !== "true",
    async fn() {
      if (without) throw new Error(without);
      await using home = await makeHome(FILES);
      await home.startDaemon();
      await using terminal = new ShellTerminal(SHELLS[shell].command, home.env, `${home.path}/work`);
      await terminal.type(SHELLS[shell].begin);
      await terminal.shows(/loaded\s+(.*\s)?ready> /s);
      await test(terminal, home);
    },
  });
}

for (const shell of ["bash", "zsh", "fish"] as const) {
  const without = await missing(shell) ?? await missing("script");

  inShell(shell, "commands, names, files and values are completed", without, async (terminal) => {
    for (const [typed, words] of LINES) {
      await terminal.type(`${typed}\t\x01printf '<%s>' \n`);
      const shown = await terminal.shows(/<handler>.*ready> $/s);
      // zsh takes a folder's last stroke back when the cursor leaves it
      const found = /<handler>(<[^<>]*>)*/.exec(shown)![0].replace("/>", ">");
      assert.equal(found, ["handler", ...words].map((word) => `<${word}>`).join(""));
    }
  });

  inShell(shell, "what may come is listed", without, async (terminal) => {
    await terminal.type("handler binding \t\t");
    const shown = await terminal.shows(/select/);
    if (shell !== "bash") assert.match(shown, /select.*let an agent or a project use a binding/);
  });
}
