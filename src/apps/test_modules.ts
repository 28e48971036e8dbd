import { walkFiles } from "../platform/mod.ts";

/** What `deno test` looks for in a folder. */
const TEST_MODULE = /(?:(?:^|[/._])test|(?:^|\/)__tests__\/.*)\.(?:ts|tsx|mts|js|mjs|jsx)$/;

/** The test modules of a backend's folder, as paths below it. */
export async function testModules(folder: string): Promise<readonly string[]> {
  return (await walkFiles(folder)).map(({ path }) => path).filter((path) =>
    TEST_MODULE.test(path) && !/(^|\/)(node_modules|\.git)\//.test(path)
  );
}
