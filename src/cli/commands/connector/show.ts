import type { ConnectorView } from "../../../client/mod.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { oneOf } from "../../find.ts";
import { pairs } from "../../table.ts";
import { oneLine, plain } from "../../text.ts";
import { localTime } from "../../time.ts";
import { reachesText } from "../../views.ts";

/** `handler connector show` */
export const connectorShow: Command = {
  words: ["connector", "show"],
  summary: "show one connector: what it takes, reaches, proves",
  description:
    `Shows the secrets and settings that a binding of it fills, the hosts that its sandbox may connect to, and the
result of its conformance cases for each binding.`,
  args: [{ name: "CONNECTOR", takes: "one", help: "its name", completes: "connector" }],
  options: [JSON_OPTION],
  examples: [{ line: "handler connector show ocr-mistral", does: "before binding it" }],
  async run({ daemon, output, parsed }) {
    const one = oneOf(await daemon.connectors(), "connector", parsed.arg("CONNECTOR"), ({ name }) => name);
    output.data({ connector: one }, () => text(one));
    return EXIT.done;
  },
};

function text(one: ConnectorView): string {
  const need = (required: boolean) => required ? "needed" : "optional";
  return plain(pairs([
    ["connector", one.name],
    ["description", oneLine(one.description)],
    ["implements", one.implements.join(", ")],
    ["runs as", `${one.runtime} (${one.origin}${one.trusted ? "" : ", not trusted"})`],
    ["reaches", reachesText(one)],
    ...one.secretSlots.map((slot) =>
      ["secret", `${slot.name} (${need(slot.required)}) ${oneLine(slot.description)}`] as const
    ),
    ...one.settings.map((setting) =>
      [
        "setting",
        `${setting.name} (${
          setting.default === null ? need(setting.required) : `default ${setting.default}`
        }) ` +
        oneLine(setting.description),
      ] as const
    ),
    ...one.proven.map(({ interfaceId, binding, state, at }) =>
      [
        "conformance",
        `${interfaceId} with ${binding}: ${state}${at === null ? "" : `, ${localTime(at)}`}`,
      ] as const
    ),
    ["bindings", one.bindings.join(", ") || "none"],
    ["hash", one.hash],
    ["folder", one.folder],
  ]));
}
