import { main } from "./llm.ts";

Deno.exit(await main(Deno.args));
