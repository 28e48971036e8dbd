import { serve } from "@handler/connector";

const die = () => Deno.exit(3);

serve({ words_count: die, words_list: die });
