import { checkShape } from "./shapes.ts";
import { findFiles } from "./files.ts";
import type { Findings, Found } from "./found.ts";
import { functionsOf } from "./functions.ts";
import { provideGlobals } from "./globals.ts";
import { aKind, kindOf } from "./kinds.ts";
import type { DefinitionSource, LoadedDefinitions } from "./loaded.ts";
import { Names } from "./names.ts";
import { normalise } from "./normalise.ts";
import { Problems } from "./problems.ts";
import { readFiles } from "./read.ts";
import { referencesOf } from "./references.ts";
import { checkRelations } from "./relations.ts";

/**
 * Loads a project's definitions. The `define` functions are global from then on, so that files may go without
 * importing them.
 *
 * @returns what is right, and all that is wrong: it never throws for what a project's files say
 */
export async function loadDefinitions(source: DefinitionSource): Promise<LoadedDefinitions> {
  provideGlobals();
  const problems = new Problems();
  const findings = await readFiles(findFiles(source.folder, problems), source, problems);
  const sound = findings.all.filter((found) => checkAlone(found, problems));
  const names = new Names(findings);
  checkDuplicates(findings, problems);
  for (const reference of findings.all.flatMap(referencesOf)) {
    const fault = names.judge(reference);
    if (fault) problems.error(reference.from.file, reference.path, fault);
  }
  checkRelations(findings, names, problems);
  return { set: normalise(sound), problems: problems.sorted(), functions: functionsOf(sound) };
}

/** @returns whether it can be used */
function checkAlone(found: Found, problems: Problems): boolean {
  const issues = checkShape(found.kind, found.value);
  for (const { path, message, severity } of issues) {
    problems.add({ file: found.file, path, message, severity });
  }
  const { nameField, kind } = kindOf(found.kind);
  if ((nameField !== "name") && !SNAKE_CASE.test(found.name)) {
    problems.warn(found.file, nameField ?? "", `${aKind(kind)} is named in snake_case, not "${found.name}"`);
  }
  return issues.every(({ severity }) => severity !== "error");
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

function checkDuplicates({ all }: Findings, problems: Problems): void {
  for (const [index, { kind, name, file }] of all.entries()) {
    const first = all.slice(0, index).find((other) => other.kind === kind && other.name === name);
    if (!first) continue;
    const path = kindOf(kind).nameField ?? "";
    problems.error(file, path, `"${name}" is the name of ${first.file}, too`);
  }
}
