/**
 * Run by `prepare` with a connector's own `deno.json`: prints where the packages' files named by its arguments lie.
 * @module
 */
console.log(JSON.stringify(Deno.args.map((specifier) => import.meta.resolve(specifier))));
