/** An import that must never be, by the part that it would end up in; `*` stands for any. */
export interface Forbidden {
  readonly part: string;
  readonly packages: RegExp;
  readonly why: string;
}

/** The imports that a reviewer would refuse. Development is what no program carries. */
export const FORBIDDEN: readonly Forbidden[] = [
  { part: "guest", packages: /./, why: "what runs inside a sandbox starts at once and brings no packages" },
  {
    part: "cli",
    packages: /^(@modelcontextprotocol\/.*|zod|tesseract.*)$/,
    why: "the command line asks the daemon, it does not do the daemon's work",
  },
  {
    part: "daemon",
    packages: /^(@modelcontextprotocol\/sdk|express|fastify|koa|puppeteer-core)$/,
    why: "the older SDK and its web server serve in tests as the older client",
  },
  {
    part: "*",
    packages: /^(axios|node-fetch|lodash|moment|chalk|commander|yargs|dotenv|better-sqlite3|sqlite3)$/,
    why: "Deno or the standard library has it",
  },
];

/** What is wrong with a part that carries these packages, asked for by Handler's own code. */
export function forbiddenIn(part: string, names: readonly string[]): readonly string[] {
  return FORBIDDEN.filter((rule) => rule.part === part || rule.part === "*").flatMap((rule) =>
    names.filter((name) => rule.packages.test(name))
      .map((name) => `${part} must not import ${name}: ${rule.why}`)
  );
}

const EXACT = /^npm:\/?(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(-[\w.]+)?(\/.*)?$/;

/** The imports of a `deno.json` that are neither a path nor pinned to one version of one npm package. */
export function loosePins(imports: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(imports)
    .filter(([, target]) => typeof target !== "string" || !(/^\.{0,2}\//.test(target) || EXACT.test(target)))
    .map(([name, target]) => `${name} is not pinned exactly: ${JSON.stringify(target)}`);
}
