import { isProgram, placeOf } from "./place.ts";

/** A thing has one name everywhere, so it is exported by that name. */
export const noDefaultExport: Deno.lint.Rule = {
  create(context) {
    if (!isProgram(placeOf(context.filename))) return {};
    return {
      ExportDefaultDeclaration(node) {
        context.report({ node, message: "no default export in src/: export it by its name" });
      },
    };
  },
};
