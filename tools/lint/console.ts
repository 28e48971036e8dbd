import { isProgram, isUnder, placeOf } from "./place.ts";

/** The daemon talks through its log, the command line through its terminal. */
export const noConsole: Deno.lint.Rule = {
  create(context) {
    const place = placeOf(context.filename);
    if (!isProgram(place) || isUnder(place, "src/cli", "src/guest")) return {};
    return {
      MemberExpression(node) {
        if (node.object.type !== "Identifier" || node.object.name !== "console") return;
        context.report({ node, message: "no console here: take a Logger, or the Terminal" });
      },
    };
  },
};
