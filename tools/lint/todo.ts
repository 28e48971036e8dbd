/** What is left to do is an issue; a comment may point at it. */
export const todoWithIssue: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const word = /\b(TODO|FIXME|XXX)\b/.exec(comment.value)?.[1];
          if (!word || /#\d+/.test(comment.value)) continue;
          context.report({ range: comment.range, message: `${word} without an issue's number, such as #12` });
        }
      },
    };
  },
};
