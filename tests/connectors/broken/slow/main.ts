import { serve } from "@handler/connector";

const never = () => new Promise<never>(() => {});

serve({ words_count: never, words_list: never });
