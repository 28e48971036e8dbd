import type { Command } from "../command.ts";
import { completionScript, SHELLS } from "../completion/scripts.ts";
import { EXIT } from "../exit.ts";
import { usage } from "../parsed.ts";

/** `handler completions` */
export const completions: Command = {
  words: ["completions"],
  summary: "print the completion script of a shell",
  description:
    `Prints a script that lets bash, zsh or fish complete commands, options and the names of things: agents, bindings,
sessions. Names are asked of the daemon; without it they are left out.`,
  args: [{ name: "SHELL", takes: "one", help: SHELLS.join(", "), completes: SHELLS }],
  options: [],
  examples: [
    {
      line: "handler completions bash > ~/.local/share/bash-completion/completions/handler",
      does: "for bash",
    },
    { line: 'handler completions zsh > "${fpath[1]}/_handler"', does: "for zsh" },
    { line: "handler completions fish > ~/.config/fish/completions/handler.fish", does: "for fish" },
  ],
  run({ parsed, terminal }) {
    const shell = parsed.arg("SHELL");
    const script = completionScript(shell);
    if (script === undefined) {
      throw usage(
        parsed.command,
        `there are completions for ${SHELLS.join(", ")}, not for ${JSON.stringify(shell)}`,
      );
    }
    terminal.out(script);
    return Promise.resolve(EXIT.done);
  },
};
