/**
 * The house rules that `deno lint` enforces beside its own.
 * @module
 */
import { noConsole } from "./console.ts";
import { noDefaultExport } from "./exports.ts";
import { floors } from "./floors_rule.ts";
import { noImportWork } from "./import_work.ts";
import { platformOnly } from "./platform_only.ts";
import { fileLength, functionLength } from "./sizes.ts";
import { todoWithIssue } from "./todo.ts";

const plugin: Deno.lint.Plugin = {
  name: "handler",
  rules: {
    "file-length": fileLength,
    "floors": floors,
    "function-length": functionLength,
    "no-console": noConsole,
    "no-default-export": noDefaultExport,
    "no-import-work": noImportWork,
    "platform-only": platformOnly,
    "todo-with-issue": todoWithIssue,
  },
};

export default plugin;
