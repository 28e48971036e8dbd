import { serve } from "@handler/connector";

serve({
  words_count: () => ({ words: 3 }),
  words_list: () => ({ count: "three" }),
});
