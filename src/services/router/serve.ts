import { compileFileFinder, compileSchema } from "../../schema/mod.ts";
import type { Interface } from "../interface.ts";
import type { ServedInterface, ServedTool } from "./ports.ts";

/** Compiles an interface's schemas once, so that each call only runs them. */
export function serveInterface(definition: Interface): ServedInterface {
  const tools = definition.tools.map((tool): [string, ServedTool] => [tool.name, {
    name: tool.name,
    checkInput: compileSchema(tool.inputSchema),
    checkOutput: compileSchema(tool.outputSchema),
    files: compileFileFinder(tool.inputSchema),
  }]);
  return { definition, tools: new Map(tools) };
}
