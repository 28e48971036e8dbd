import { resolve } from "node:path";
import { appText } from "../../app_views.ts";
import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { pairsOfWords } from "../../pairs_of_words.ts";
import { usage } from "../../parsed.ts";

/** `handler app settle` */
export const appSettle: Command = {
  words: ["app", "settle"],
  summary: "choose what an app gets: secrets, folders, services",
  description:
    `Fills what an app's manifest asks for under [needs]: each secret with a reference (never the value), each folder with
one of yours, each service with bindings in order. A running backend is stopped, so that its next start has it.`,
  args: [{ name: "APP", takes: "one", help: "its name", completes: "app" }],
  options: [
    {
      name: "secret",
      value: "VARIABLE=REFERENCE",
      many: true,
      help: "store:NAME, env:NAME, file:PATH or command:WORDS; may stand many times",
    },
    { name: "folder", value: "NAME=FOLDER", many: true, help: "a folder of yours; may stand many times" },
    {
      name: "service",
      value: "INTERFACE=BINDING,...",
      many: true,
      help: "bindings in order of preference; may stand many times",
    },
    JSON_OPTION,
  ],
  examples: [
    { line: "handler app settle coach --secret LLM_API_KEY=store:llm", does: "a secret that is kept here" },
    { line: "handler app settle receipts --service ocr=ocr-local", does: "who reads its photos" },
  ],
  async run({ daemon, output, parsed, cwd }) {
    const name = parsed.arg("APP");
    const option = (word: string) => pairsOfWords(word, parsed.values(word));
    const [secrets, folders, services] = [option("secret"), option("folder"), option("service")];
    const given = [secrets, folders, services].flatMap((one) => Object.keys(one));
    if (given.length === 0) throw usage(parsed.command, "a --secret, --folder or --service must be given");
    const app = await daemon.appSettle(name, {
      secrets,
      files: mapValues(folders, (folder) => resolve(cwd, folder)),
      services: mapValues(services, (bindings) => bindings.split(",").filter(Boolean)),
    });
    output.data({ app }, () => appText(app));
    output.next(`handler app deploy ${name}`);
    return EXIT.done;
  },
};

function mapValues<T>(
  pairs: Readonly<Record<string, string>>,
  change: (value: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, change(value)]));
}
