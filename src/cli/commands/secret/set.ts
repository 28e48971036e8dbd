import { resolve } from "node:path";
import { HandlerError } from "../../../base/mod.ts";
import { readBounded } from "../../../platform/mod.ts";
import type { Command, Context } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** The longest secret, in bytes. */
const LONGEST = 64 * 1024;

/** `handler secret set` */
export const secretSet: Command = {
  words: ["secret", "set"],
  summary: "keep a secret, read from stdin or a file",
  description:
    `Keeps a value under a name, in place of one that is kept there already, for bindings that refer to it as store:NAME. The value is read from stdin, or from a
file, and never from the command line, where other programs could see it. One line end behind it is left out, unless
--exact is given. It is kept in the desktop's keyring where there is one, else in a file that only you can read.`,
  args: [{ name: "NAME", takes: "one", help: "what it is called", completes: "secret" }],
  options: [
    { name: "file", value: "PATH", help: "read the value from this file", completes: "file" },
    { name: "exact", help: "keep the line end behind the value" },
  ],
  examples: [
    { line: "pass show mistral/ocr | handler secret set mistral-ocr", does: "from another program" },
    { line: "handler secret set mistral-ocr --file key.txt", does: "from a file" },
  ],
  unshown: true,
  async run(context) {
    const { daemon, output, parsed } = context;
    const name = parsed.arg("NAME");
    const value = await valueOf(context);
    if (value.length === 0) throw new HandlerError("usage", `the value of ${name} must not be empty`);
    if (value.length > LONGEST) throw new HandlerError("usage", `a secret has at most ${LONGEST} bytes`);
    await daemon.secretSet(name, value);
    output.note(`the secret ${name} is kept`);
    output.next(`handler binding add NAME --connector CONNECTOR --secret SLOT=store:${name}`);
    return EXIT.done;
  },
};

async function valueOf({ parsed, terminal, output, cwd }: Context): Promise<Uint8Array> {
  const file = parsed.value("file");
  if (file === undefined && terminal.interactive) output.note("type the value, then Enter and Ctrl-D");
  const read = file === undefined
    ? await terminal.readStdin()
    : (await readBounded(resolve(cwd, file), LONGEST)).bytes;
  return parsed.flag("exact") ? read : withoutLineEnd(read);
}

function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}
