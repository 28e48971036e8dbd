import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { bytes, localTime } from "../../time.ts";

/** `handler app versions` */
export const appVersions: Command = {
  words: ["app", "versions"],
  summary: "list an app's versions that are kept",
  description:
    `Lists the installed version and those before it that can be gone back to, with the size of the backup that was taken
when each was deployed.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler app versions notes", does: "what a roll-back would bring back" }],
  async run({ daemon, output, parsed }) {
    const versions = await daemon.appVersions(parsed.arg("APP"));
    output.list("versions", versions, {
      columns: [
        { title: "DEPLOYMENT", align: "right" },
        { title: "VERSION" },
        { title: "DEPLOYED" },
        { title: "BACKUP", align: "right" },
        { title: "" },
      ],
      cells: versions.map(({ number, version, deployedAt, installed, backupBytes }) => [
        String(number),
        version,
        localTime(deployedAt),
        backupBytes === null ? "-" : bytes(backupBytes),
        installed ? "installed" : "",
      ]),
      empty: "it was never deployed",
    });
    return EXIT.done;
  },
};
