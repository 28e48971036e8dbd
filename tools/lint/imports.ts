/** What is told of each import: the module's name, its node, and whether only types are taken. */
type Found = (specifier: string, node: Deno.lint.Node, typeOnly: boolean) => void;

/** Calls `found` with every module that a file names: imports, exports from, late imports, types. */
export function importVisitor(found: Found): Deno.lint.LintVisitor {
  return {
    ImportDeclaration: (node) => literal(node.source, found, node.importKind === "type"),
    ExportAllDeclaration: (node) => literal(node.source, found, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => literal(node.source, found, node.exportKind === "type"),
    ImportExpression: (node) => literal(node.source, found, false),
    TSImportType: (node) => {
      const argument: Deno.lint.Node = node.argument;
      literal(argument.type === "TSLiteralType" ? argument.literal : argument, found, true);
    },
  };
}

function literal(node: Deno.lint.Node | null, found: Found, typeOnly: boolean): void {
  if (node?.type === "Literal" && typeof node.value === "string") found(node.value, node, typeOnly);
}
