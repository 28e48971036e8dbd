import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { asHandlerError, formatWhere, HandlerError, ProblemList } from "../base/mod.ts";
import type { Terminal } from "../platform/mod.ts";
import { checkFolder } from "./check_folder.ts";
import { newApp } from "./template.ts";

const USAGE = `Usage: handler app new NAME [FOLDER]
       handler app check [FOLDER] [--json]

new copies the template of mini apps; check tells everything that a deploy would refuse and that the folder shows.
This is what there is of handler inside an agent's sandbox. Deploying is for the person: handler app deploy NAME
`;

/** What `handler` has around it inside an agent's sandbox. */
export interface InsideParts {
  readonly terminal: Pick<Terminal, "out" | "err">;
  readonly cwd: string;
  /** The template's folder; undefined where the addon for mini apps is not there. */
  readonly template: string | undefined;
}

interface Asked {
  readonly words: readonly string[];
  readonly json: boolean;
}

/**
 * `handler` inside an agent's sandbox, where no daemon can be reached: what an author of mini apps needs, and no more.
 * @returns the exit code: 0, 1 where something is wrong, 2 for a call that is none
 */
export async function runInside(args: readonly string[], parts: InsideParts): Promise<number> {
  const { terminal } = parts;
  if (args.length === 0 || args.includes("--help") || args.includes("-h")) {
    terminal.out(USAGE);
    return 0;
  }
  try {
    const { words: [group, verb, ...rest], json } = parsed(args);
    if (group === "app" && verb === "check" && rest.length <= 1) return await check(parts, rest[0], json);
    const [name, folder, ...more] = rest;
    if (group === "app" && verb === "new" && name !== undefined && more.length === 0) {
      return await make(parts, name, folder);
    }
    throw new HandlerError("usage", `there is no ${JSON.stringify(args.join(" "))} inside a sandbox`);
  } catch (error) {
    return failed(terminal, asHandlerError(error));
  }
}

function failed(terminal: InsideParts["terminal"], { kind, message, hint }: HandlerError): number {
  terminal.err(
    `handler: ${message}\n${hint ? `  hint: ${hint}\n` : ""}${kind === "usage" ? `\n${USAGE}` : ""}`,
  );
  return kind === "usage" ? 2 : 1;
}

function parsed(args: readonly string[]): Asked {
  try {
    const options = { json: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { words: positionals, json: values.json };
  } catch (error) {
    throw new HandlerError("usage", (error as Error).message.split(". ")[0]!);
  }
}

async function check({ terminal, cwd }: InsideParts, given: string | undefined, json: boolean) {
  const folder = resolve(cwd, given ?? ".");
  const problems = (await checkFolder(folder)).flatMap(flat);
  if (json) {
    const document = { schema: 1, folder, passed: problems.length === 0, problems };
    terminal.out(JSON.stringify(document, null, 2) + "\n");
  } else {
    for (const { where, message, hint } of problems) {
      terminal.out(`${where ? `${where}: ` : ""}${message}\n${hint ? `  hint: ${hint}\n` : ""}`);
    }
  }
  terminal.err(
    problems.length === 0
      ? `a deploy of ${folder} would refuse nothing of this\n`
      : `problems: ${problems.length}\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

function flat(error: HandlerError): readonly { where: string; message: string; hint: string | null }[] {
  if (error instanceof ProblemList) return error.problems.flatMap(flat);
  return [{
    where: formatWhere(error.where).replace(/: $/, ""),
    message: error.message,
    hint: error.hint ?? null,
  }];
}

async function make({ terminal, cwd, template }: InsideParts, name: string, given: string | undefined) {
  if (template === undefined) {
    throw new HandlerError("unavailable", "the addon for mini apps is not in this sandbox");
  }
  const folder = resolve(cwd, given ?? name);
  await newApp({ template, name, folder });
  terminal.out(`${folder}\n`);
  return 0;
}
