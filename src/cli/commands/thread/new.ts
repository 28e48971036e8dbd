import type { Json } from "../../../base/mod.ts";
import { type Command, type Context, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { pairsOfWords } from "../../pairs_of_words.ts";

/** `handler thread new` */
export const threadNew: Command = {
  words: ["thread", "new"],
  summary: "begin a thread with an agent of a project",
  description:
    `Makes a thread of an agent that the project defines in its folder \`agents/\`, and prints its id. Children that
the agent's sides want at once are made with it. What a thread says and does is kept until it is removed.`,
  args: [{ name: "AGENT", takes: "one", help: "the agent's name, as its definition says" }],
  options: [
    {
      name: "project",
      value: "NAME",
      needed: true,
      help: "whose definitions these are",
      completes: "project",
    },
    { name: "person", value: "NAME", help: "whose thread it is", completes: "person" },
    { name: "title", value: "TEXT", help: "what it is called in lists" },
    {
      name: "arg",
      value: "NAME=VALUE",
      many: true,
      help: "an argument of the agent; JSON where it is that, else a text",
    },
    { name: "env", value: "NAME=VALUE", many: true, help: "a variable of the thread" },
    JSON_OPTION,
  ],
  examples: [{ line: "handler thread new relay_agent --project desk", does: "prints the new thread's id" }],
  async run(context) {
    const { daemon, output, parsed } = context;
    const thread = await daemon.threadNew({
      project: parsed.needed("project"),
      agent: parsed.arg("AGENT"),
      person: parsed.value("person") ?? null,
      title: parsed.value("title") ?? null,
      arguments: argumentsOf(context),
      env: pairsOfWords("env", parsed.values("env")),
    });
    output.data({ thread }, () => `${thread.id}\n`);
    output.next(`handler thread send ${thread.id} "hello"`);
    return EXIT.done;
  },
};

function argumentsOf({ parsed }: Context): { readonly [name: string]: Json } {
  const pairs = Object.entries(pairsOfWords("arg", parsed.values("arg")));
  return Object.fromEntries(pairs.map(([name, value]) => [name, jsonOrText(value)]));
}

function jsonOrText(value: string): Json {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
