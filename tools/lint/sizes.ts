import { placeOf } from "./place.ts";

/** The longest a file may be; most have a hundred lines. */
export const FILE_LINES = 500;

/** The longest a function may be; most have ten lines. */
export const FUNCTION_LINES = 80;

/** A file holds one idea. */
export const fileLength: Deno.lint.Rule = {
  create(context) {
    return {
      Program(node) {
        const lines = lineCount(context.sourceCode.text.trimEnd());
        if (lines <= FILE_LINES) return;
        const message = `${placeOf(context.filename)} has ${lines} lines, a file at most ${FILE_LINES}`;
        context.report({ node, message });
      },
    };
  },
};

/** A function can be read at a glance. */
export const functionLength: Deno.lint.Rule = {
  create(context) {
    const check = (node: Deno.lint.Node) => {
      const lines = lineCount(context.sourceCode.getText(node));
      if (lines <= FUNCTION_LINES) return;
      context.report({ node, message: `a function of ${lines} lines, at most ${FUNCTION_LINES}` });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};

function lineCount(text: string): number {
  return text.split("\n").length;
}
