import { type Command, JSON_OPTION } from "../command.ts";
import { YES_OPTION } from "../confirm.ts";

/** `handler install` */
export const install: Command = {
  words: ["install"],
  summary: "make handlerd a service that stays up",
  description:
    `Makes handlerd a service of your own session: units of systemd on Linux, an agent of launchd on macOS. This
program is copied to the data folder (a checkout is used where it lies), its commands are linked into ~/.local/bin where
that is on PATH, and the service is started; on Linux the first command that needs it starts it too. Says what it will
write and asks first. Nothing that something else made is overwritten, and doing it again changes nothing.`,
  args: [],
  options: [
    { name: "dry-run", short: "n", help: "say what would be written, and write nothing" },
    { name: "in-place", help: "start this program where it lies; it is not copied" },
    { name: "files-only", help: "write the files, and ask nothing of the service manager" },
    YES_OPTION,
    JSON_OPTION,
  ],
  examples: [
    { line: "handler install", does: "look at it, then install" },
    { line: "handler install --dry-run", does: "every file as it would be" },
    { line: "handler install --yes --json", does: "in a script" },
  ],
  run: async (context) => (await import("../upkeep/install.ts")).install(context),
};
