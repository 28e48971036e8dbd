import { HandlerError } from "../../base/mod.ts";
import type { TrustView } from "../../client/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../command.ts";
import { EXIT } from "../exit.ts";
import { plain } from "../text.ts";

/** `handler trust` */
export const trust: Command = {
  words: ["trust"],
  summary: "look at something of your own and let it count",
  description:
    `An interface or a connector in your own folder counts only once you have looked at it: an interface's words go
straight to the model, a connector runs and may reach hosts. This shows what there is to see and asks; --yes answers.
What was shown is what is trusted: its hash is pinned, and a change asks again. A name that is both is asked for both.`,
  args: [{
    name: "NAME",
    takes: "one",
    help: "an interface such as notes/v1, or a connector",
    completes: "trust",
  }],
  options: [
    { name: "yes", short: "y", help: "trust it without asking" },
    { name: "hash", value: "HASH", help: "only if it has this hash" },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler trust notes/v1", does: "read it, then decide" },
    { line: "handler trust ocr-mine --yes", does: "in a script" },
  ],
  async run(context) {
    const { daemon, output, parsed } = context;
    const views = await daemon.trustShow(parsed.arg("NAME"));
    checkHash(views, parsed.value("hash"));
    const open = views.filter(({ hash, trustedHash }) => hash !== trustedHash);
    for (const view of open) if (!output.json) context.terminal.out(shown(view));
    if (open.length > 0) confirm(context, open);
    for (const { kind, name, hash } of open) await daemon.trustSet(kind, name, hash);
    const trusted = views.map(({ kind, name, hash }) => ({ kind, name, hash }));
    output.data(
      { trusted },
      () => trusted.map(({ kind, name, hash }) => `trusted ${kind} ${name} ${hash}\n`).join(""),
    );
    return EXIT.done;
  },
};

function checkHash(views: readonly TrustView[], wanted: string | undefined): void {
  const other = views.find(({ hash }) => wanted !== undefined && hash !== wanted);
  if (other) {
    throw new HandlerError(
      "conflict",
      `the ${other.kind} ${other.name} has the hash ${other.hash}, not ${wanted}`,
    );
  }
}

function shown({ kind, name, hash, trustedHash, text }: TrustView): string {
  const before = trustedHash === null
    ? ""
    : `  it was trusted with another content (${trustedHash.slice(0, 12)})\n`;
  const lines = plain(text).trimEnd().split("\n").map((line) => `  | ${line}\n`).join("");
  return `${kind} ${name}, hash ${hash}\n${before}${lines}`;
}

function confirm({ parsed, terminal }: Context, views: readonly TrustView[]): void {
  if (parsed.flag("yes")) return;
  const what = views.map(({ kind, name }) => `the ${kind} ${name}`).join(" and ");
  if (!terminal.interactive) {
    throw new HandlerError("usage", `nobody can be asked whether to trust ${what}`, {
      hint: "read it, then use --yes",
    });
  }
  const answer = terminal.ask(`Trust ${what}? [y/N]`);
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) throw new HandlerError("denied", `${what} is not trusted`);
}
