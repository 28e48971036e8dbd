/** Something wrong or doubtful in a definition; `path` is such as `sideA.maxSteps`. */
export interface DefinitionIssue {
  path: string;
  message: string;
  severity: "error" | "warning";
}
