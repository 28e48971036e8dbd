import { serve } from "@handler/connector";

serve({
  words_count: (_, call) => call.fail("bad_encoding", "the file is not UTF-8"),
  words_list: (_, call) => call.fail("cancelled", "somebody else came first"),
});
