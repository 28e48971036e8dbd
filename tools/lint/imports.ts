/** Calls `found` with every module that a file names: imports, exports from, late imports, types. */
export function importVisitor(
  found: (specifier: string, node: Deno.lint.Node) => void,
): Deno.lint.LintVisitor {
  const source = (node: { source: Deno.lint.Node | null } & Deno.lint.Node) => literal(node.source, found);
  return {
    ImportDeclaration: source,
    ExportAllDeclaration: source,
    ExportNamedDeclaration: source,
    ImportExpression: source,
    TSImportType: (node) => {
      const argument: Deno.lint.Node = node.argument;
      literal(argument.type === "TSLiteralType" ? argument.literal : argument, found);
    },
  };
}

function literal(
  node: Deno.lint.Node | null,
  found: (specifier: string, node: Deno.lint.Node) => void,
): void {
  if (node?.type === "Literal" && typeof node.value === "string") found(node.value, node);
}
