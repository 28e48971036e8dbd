import { type Call, type HandlerFile, type HandlerOutput, serve } from "@handler/connector";

interface Tools {
  readonly words_count: {
    readonly input: { readonly path: HandlerFile };
    readonly output: { readonly words: readonly string[] };
  };
  readonly words_list: {
    readonly input: { readonly path: HandlerFile; readonly output: HandlerOutput };
    readonly output: { readonly count: number };
  };
}

type Code = "not_text" | "too_large" | "unavailable";

async function wordsOf(file: HandlerFile, call: Call<Code>): Promise<readonly string[]> {
  const bytes = await file.bytes();
  if (bytes.includes(0)) return call.fail("not_text", "the file holds bytes that are no text");
  return new TextDecoder().decode(bytes).split(/\s+/).filter((word) => word !== "");
}

serve<Tools, Code>({
  words_count: async ({ path }, call) => ({ words: await wordsOf(path, call) }),
  async words_list({ path, output }, call) {
    const words = await wordsOf(path, call);
    await output.write(words.join("\n"), "text/plain");
    return { count: words.length };
  },
});
