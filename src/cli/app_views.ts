import type { AppView, Problem } from "../client/mod.ts";
import { pairs } from "./table.ts";
import { oneLine, plain } from "./text.ts";
import { bytes, localTime } from "./time.ts";

/** An app with all it says. */
export function appText(app: AppView): string {
  return plain(pairs([
    ["app", app.name],
    ...(app.description ? [["description", oneLine(app.description)] as const] : []),
    ["state", app.state],
    ["version", versionText(app)],
    ...(app.ready === null ? [] : [["ready", `${app.ready}, not deployed yet`] as const]),
    ["address", app.url],
    ["persons", app.persons.join(", ")],
    ...(app.shortcut === null ? [] : [["shortcut", app.shortcut] as const]),
    ["data", bytes(app.dataBytes)],
    ["source", app.source],
  ]));
}

function versionText({ version, deployedAt }: AppView): string {
  if (version === null) return "none";
  return deployedAt === null ? version : `${version}, deployed ${localTime(deployedAt)}`;
}

/** Problems of files, one each with its place and hint. */
export function problemsText(problems: readonly Problem[]): string {
  return plain(
    problems.map(({ where, message, hint }) =>
      `${where ? `${where}: ` : ""}${message}\n${hint ? `  hint: ${hint}\n` : ""}`
    ).join(""),
  );
}
