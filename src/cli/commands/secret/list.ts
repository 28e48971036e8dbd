import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** `handler secret list` */
export const secretList: Command = {
  words: ["secret", "list"],
  summary: "list the stored secrets, never their values",
  description:
    "Lists the names of the secrets that Handler keeps, where each is kept, and the bindings that use it.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler secret list", does: "all names" }],
  async run({ daemon, output }) {
    const all = await daemon.secrets();
    output.list("secrets", all, {
      columns: [{ title: "SECRET" }, { title: "KEPT IN" }, { title: "USED BY", cut: true }],
      cells: all.map((one) => [one.name, one.storedIn, one.usedBy.join(", ") || "-"]),
      empty: "there are no secrets; keep one with handler secret set",
    });
    return EXIT.done;
  },
};
