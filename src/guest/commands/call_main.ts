import { main } from "./call.ts";

Deno.exit(await main(Deno.args));
