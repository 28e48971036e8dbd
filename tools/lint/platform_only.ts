import { importVisitor } from "./imports.ts";
import { isProgram, isUnder, placeOf } from "./place.ts";

/** What is computation alone, wherever it runs. */
const PURE = new Set(["node:path", "node:path/posix", "node:util"]);

const HINT = "add a small function to src/platform and use that";

/** Only `src/platform` speaks to the runtime; `src/guest` runs inside sandboxes and has its own. */
export const platformOnly: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!isProgram(place) || isUnder(place, "src/platform", "src/guest")) return {};
    const report = (node: Deno.lint.Node, what: string) =>
      context.report({ node, message: `only src/platform says ${what}`, hint: HINT });
    return {
      ...importVisitor((specifier, node) => {
        if (specifier.startsWith("node:") && !PURE.has(specifier)) report(node, specifier);
      }),
      MemberExpression(node) {
        if (node.object.type === "Identifier" && node.object.name === "Deno") report(node, "Deno");
      },
      TSQualifiedName(node) {
        if (node.left.type === "Identifier" && node.left.name === "Deno") report(node, "Deno");
      },
    };
  },
};
