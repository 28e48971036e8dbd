import { main } from "./service.ts";

Deno.exit(await main(Deno.args));
