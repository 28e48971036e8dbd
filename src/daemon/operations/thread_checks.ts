import type { DoctorCheck } from "../../api/mod.ts";
import { errorText } from "../../base/mod.ts";
import { statIfThere } from "../../platform/mod.ts";
import type { DefinitionProblem } from "../../wire/mod.ts";
import type { Parts } from "../assemble.ts";

/**
 * What a project's definitions keep its threads from. A folder `agents/` may be something else in a project without
 * threads, so there it is no failure.
 */
export async function threadChecks({ threads, configuration }: Parts): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const { name, path } of configuration.current().projects.values()) {
    if (!(await statIfThere(`${path}/agents`))?.isDirectory) continue;
    const used = threads.list({ project: name, limit: 1, offset: 0 }).length > 0;
    const bad = { name: `threads of ${name}`, state: used ? "failed" : "warning" } as const;
    const hint = `see handler threads check ${name}`;
    try {
      const { definitions, problems } = await threads.check(name);
      const [first] = problems.filter(({ severity }) => severity === "error");
      checks.push(
        first ? { ...bad, detail: problemText(first), hint } : {
          ...bad,
          state: "ok",
          detail: `agents: ${definitions.agents.map((one) => one.name).join(", ") || "none"}`,
          hint: null,
        },
      );
    } catch (error) {
      checks.push({ ...bad, detail: errorText(error), hint });
    }
  }
  return checks;
}

function problemText({ file, path, message }: DefinitionProblem): string {
  return `${file}${path ? `:${path}` : ""}: ${message}`;
}
