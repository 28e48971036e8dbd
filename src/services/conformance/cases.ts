import { asHandlerError, HandlerError, ProblemList } from "../../base/mod.ts";
import { readBytes, statIfThere, walkFiles } from "../../platform/mod.ts";
import { decodeTomlFile } from "../../schema/mod.ts";
import type { Interface } from "../interface.ts";
import { caseProblems } from "./case_rules.ts";
import type { ConformanceCases } from "./expectation.ts";
import { casesShape } from "./shape.ts";

/** What cases are checked against: the interface's tools and errors, and its folder. */
export type CaseSubject = Pick<Interface, "folder" | "tools" | "errors" | "id">;

/**
 * Reads and checks `conformance/cases.toml` (contract S.17): tools are the interface's, inputs fit their schemas (but
 * where `invalid_input` is expected), files are there, and each declared error is either provoked by a case or excused.
 * @throws {ProblemList} with everything that is wrong
 */
export async function loadCases(subject: CaseSubject): Promise<ConformanceCases> {
  const { cases, problems } = await readCases(subject);
  if (cases && problems.length === 0) return cases;
  throw new ProblemList(`the conformance cases of ${subject.id}`, problems);
}

/** As {@linkcode loadCases}, with the problems as a result. */
export async function readCases(subject: CaseSubject): Promise<{
  readonly cases: ConformanceCases | undefined;
  readonly problems: readonly HandlerError[];
}> {
  const folder = `${subject.folder}/conformance`;
  const file = `${folder}/cases.toml`;
  if (!(await statIfThere(file))?.isFile) {
    const message = "an interface has conformance cases in conformance/cases.toml";
    return { cases: undefined, problems: [new HandlerError("invalid", message, { where: { file } })] };
  }
  try {
    const decoded = decodeTomlFile(await readBytes(file), { file, kind: undefined, shape: casesShape });
    if (!decoded.record) return { cases: undefined, problems: decoded.problems };
    const cases = { cases: decoded.record.case, unprovoked: decoded.record.unprovoked };
    const { tools, errors } = subject;
    const rules = { tools, errors, fixtures: await fixturesOf(folder), problem: decoded.problem };
    return { cases, problems: [...decoded.problems, ...caseProblems(cases, rules)] };
  } catch (error) {
    return {
      cases: undefined,
      problems: error instanceof ProblemList ? error.problems : [asHandlerError(error)],
    };
  }
}

async function fixturesOf(folder: string): Promise<ReadonlySet<string>> {
  const files = (await walkFiles(folder)).filter(({ kind }) => kind === "file");
  return new Set(files.map(({ path }) => path));
}
