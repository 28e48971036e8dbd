import { HandlerError } from "../../../base/mod.ts";
import { type Command, JSON_OPTION, REPLACE_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { pairsOfWords } from "../../pairs_of_words.ts";
import { bindingText } from "../../views.ts";

/** `handler binding add` */
export const bindingAdd: Command = {
  words: ["binding", "add"],
  summary: "set a connector up for use",
  description:
    `Writes a new file in the folder bindings of the configuration. A secret is given as a reference, never as a
value: store:NAME (kept by handler secret set), env:NAME (of handlerd's environment), file:PATH, or command:WORD WORD...
(such as command:pass show mistral/ocr). handler connector show tells which secrets and settings a connector takes. A
name that is taken is refused, but with --replace: then the binding is what you say here and nothing else.`,
  args: [{ name: "NAME", takes: "one", help: "the new binding's name" }],
  options: [
    { name: "connector", value: "NAME", needed: true, help: "the connector", completes: "connector" },
    { name: "description", value: "TEXT", mayBeEmpty: true, help: "what a person calls it" },
    { name: "set", value: "NAME=VALUE", many: true, help: "a setting; may stand many times" },
    {
      name: "secret",
      value: "SLOT=REFERENCE",
      many: true,
      help: "a secret's reference; may stand many times",
    },
    {
      name: "price",
      value: "UNIT=PRICE",
      many: true,
      help: "what one unit costs, such as pages=0.001; may stand many times",
    },
    REPLACE_OPTION,
    JSON_OPTION,
  ],
  examples: [
    {
      line: "handler binding add ocr-local --connector ocr-tesseract",
      does: "reading scans on this machine",
    },
    {
      line:
        'handler binding add ocr-mistral-perso --connector ocr-mistral --secret "api_key=command:pass show mistral/ocr"',
      does: "a vendor's service with a key of your own",
    },
  ],
  async run({ daemon, output, parsed }) {
    const binding = await daemon.bindingAdd({
      name: parsed.arg("NAME"),
      connector: parsed.needed("connector"),
      description: parsed.value("description") ?? "",
      settings: pairsOfWords("set", parsed.values("set")),
      secrets: pairsOfWords("secret", parsed.values("secret")),
      prices: pricesOf(pairsOfWords("price", parsed.values("price"))),
      replace: parsed.flag("replace"),
    });
    output.data({ binding }, () => bindingText(binding));
    if (binding.problems.length > 0) {
      output.note(`it cannot be used as it is: mend ${binding.file}, then handler reload`);
      return EXIT.failed;
    }
    output.next(`handler connector check ${binding.connector} --binding ${binding.name}`);
    output.next(`handler binding select ${binding.name} --agent AGENT`);
    return EXIT.done;
  },
};

function pricesOf(pairs: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(pairs).map(([unit, price]) => {
      if (/^[0-9]{1,10}(\.[0-9]{1,15})?$/.test(price)) return [unit, Number(price)];
      throw new HandlerError(
        "usage",
        `--price ${unit} is a number such as 0.001, found ${JSON.stringify(price)}`,
      );
    }),
  );
}
