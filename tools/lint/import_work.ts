import { isProgram, isUnder, placeOf } from "./place.ts";

/** Statements that only name things. */
const NAMING = new Set<string>([
  "ImportDeclaration",
  "ExportAllDeclaration",
  "ExportDefaultDeclaration",
  "ExportNamedDeclaration",
  "FunctionDeclaration",
  "ClassDeclaration",
  "VariableDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
  "EmptyStatement",
]);

/**
 * Importing a module does nothing that can be noticed: no statement that acts, no `await`, no call to the runtime at
 * the top. A conservative reading: a pure call that makes a constant is fine. `src/guest` has programs of its own.
 */
export const noImportWork: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!isProgram(place) || isUnder(place, "src/guest")) return {};
    const report = (node: Deno.lint.Node) =>
      context.report({ node, message: "work at import time: put it into a function that the caller calls" });
    return {
      "Program > *": (node: Deno.lint.Node) => {
        if (!NAMING.has(node.type)) report(node);
      },
      AwaitExpression(node) {
        if (isTopLevel(node)) report(node);
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return;
        if (callee.object.name === "Deno" && isTopLevel(node)) report(node);
      },
    };
  },
};

function isTopLevel(node: Deno.lint.Node): boolean {
  for (let at: { readonly type: string; readonly parent?: unknown } = node; at.type !== "Program";) {
    if (/Function|Method|PropertyDefinition/.test(at.type)) return false;
    at = at.parent as { readonly type: string };
  }
  return true;
}
