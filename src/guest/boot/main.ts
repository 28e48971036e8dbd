/**
 * The first program of a sandbox. Loaded before a Deno program (`deno run --preload boot.js entry`) it opens the
 * egress listeners and takes in the secrets, then Deno goes on to the entry. Run by itself (`deno run boot.js argv…`)
 * it does the same and then runs a command to its end.
 */
import { openListeners } from "./egress.ts";
import { runCommand } from "./command.ts";
import { takeSecrets } from "./secrets.ts";

await takeSecrets();
openListeners();
if (import.meta.main) Deno.exit(await runCommand(Deno.args));
