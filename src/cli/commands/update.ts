import { type Command, JSON_OPTION } from "../command.ts";

/** `handler update` */
export const update: Command = {
  words: ["update"],
  summary: "replace the program by another one, and go back if it does not get ready",
  description:
    `Replaces the program that \`handler install\` copied. The new one comes from a file or an https address, and counts only
if its SHA-256 is the one that you give, or that SHA256SUMS has for its name. It must be a program for this machine that
says its version; an older one needs --downgrade. Then the service starts anew, and if the new program is not ready
within 20 seconds, the one before it comes back. Sessions of agents go on meanwhile. Without --from, the folder that
update.url of config.toml names is asked for handlerd-<target> and SHA256SUMS.`,
  args: [],
  options: [
    { name: "from", value: "PLACE", help: "a file, or an https address", completes: "file" },
    { name: "sha256", value: "HEX", help: "its SHA-256" },
    {
      name: "sums",
      value: "PLACE",
      help: "a file or an https address with lines of SHA-256 and name",
      completes: "file",
    },
    { name: "downgrade", help: "take an older version too" },
    { name: "back", help: "return to the program that the last update replaced" },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler update --from ./handlerd --sums ./SHA256SUMS", does: "a file that you have" },
    { line: "handler update", does: "from the place that config.toml names" },
    { line: "handler update --back", does: "the program before this one" },
  ],
  run: async (context) => (await import("../upkeep/update.ts")).update(context),
};
