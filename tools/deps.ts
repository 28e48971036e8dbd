/**
 * The list of packages: `--write` makes `dependencies.txt` anew, else it is compared with what is used.
 * @module
 */
import { dependencyProblems, writeDependencies } from "./deps/check.ts";

if (import.meta.main) {
  const problems = Deno.args.includes("--write") ? await writeDependencies() : await dependencyProblems();
  for (const problem of problems) console.error(problem);
  Deno.exit(problems.length === 0 ? 0 : 1);
}
