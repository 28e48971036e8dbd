import { judgeImport } from "../floors.ts";
import { importVisitor } from "./imports.ts";
import { placeOf } from "./place.ts";

/** A module imports lower floors only, and only through the other's `mod.ts`. */
export const floors: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    return importVisitor((specifier, node, typeOnly) => {
      const message = judgeImport(place, specifier, typeOnly);
      if (message) context.report({ node, message });
    });
  },
};
