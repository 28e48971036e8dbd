import { serve } from "@handler/connector";

serve({
  words_count: () => ({ words: ["one", "two", "three"] }),
  words_list: () => ({ count: 3 }),
});
