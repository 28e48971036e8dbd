import { serve } from "@handler/connector";

serve({
  words_count: () => ({ words: ["one", "two", "three"], engine: "words-9" }),
  words_list: () => ({ count: 3, engine: "words-9" }),
});
