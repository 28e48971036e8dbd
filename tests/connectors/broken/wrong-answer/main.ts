import { type HandlerFile, type HandlerOutput, serve } from "@handler/connector";

interface Tools {
  readonly words_count: {
    readonly input: { readonly path: HandlerFile };
    readonly output: { words: string[] };
  };
  readonly words_list: {
    readonly input: { readonly output: HandlerOutput };
    readonly output: { count: number };
  };
}

serve<Tools>({
  words_count: () => ({ words: ["alpha"] }),
  async words_list({ output }) {
    await output.write("alpha\n", "text/plain");
    return { count: 1 };
  },
});
