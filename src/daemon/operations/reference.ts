import { HandlerError } from "../../base/mod.ts";
import type { SecretReference } from "../../config/mod.ts";

/** Reads `store:NAME`, `env:NAME`, `file:PATH` and `command:WORD WORD`. `fill` is the command line that gives it, for the hint. */
export function toReference(
  slot: string,
  text: string,
  fill = `--secret ${slot}=store:NAME`,
): SecretReference {
  const at = text.indexOf(":");
  const kind = text.slice(0, at), rest = text.slice(at + 1).trim();
  if (at > 0 && rest !== "") {
    if (kind === "store" || kind === "env") return { kind, name: rest };
    if (kind === "file") return { kind, path: rest };
    if (kind === "command") return { kind, argv: rest.split(/\s+/) };
  }
  // the text may be a secret that was given in place of a reference, so it is not repeated
  const rule = "store:NAME, env:NAME, file:PATH or command:WORDS";
  throw new HandlerError("usage", `the secret ${slot} is a reference: ${rule}`, {
    where: { key: `secrets.${slot}` },
    hint: `keep the value with: handler secret set NAME, then name it: ${fill}`,
  });
}

/** A reference in the words that {@linkcode toReference} reads. */
export function referenceText(reference: SecretReference): string {
  switch (reference.kind) {
    case "command":
      return `command:${reference.argv.join(" ")}`;
    case "file":
      return `file:${reference.path}`;
    case "env":
      return `env:${reference.name}`;
    case "store":
      return `store:${reference.name}`;
  }
}
