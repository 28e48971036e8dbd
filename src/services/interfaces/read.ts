import { asHandlerError, deepFreeze, HandlerError, ProblemList } from "../../base/mod.ts";
import { readBytes, readText, statIfThere, walkFiles } from "../../platform/mod.ts";
import { type Decoded, decodeToml, decodeTomlFile } from "../../schema/mod.ts";
import { readCases } from "../conformance/cases.ts";
import { folderHash } from "../folder_hash.ts";
import { type Interface, PLATFORM_ERRORS, type ToolDefinition } from "../interface.ts";
import { checkToolSchema } from "./lint_schema.ts";
import { hiddenCharacters } from "./lint_text.ts";
import { type InterfaceFile, interfaceShape } from "./shape.ts";
import { checkSkill } from "./skill_file.ts";
import { readTools } from "./tools_file.ts";

/** An interface version as far as it could be read, and everything that is wrong with it. */
export interface InterfaceRead {
  /** Undefined as soon as anything is wrong. */
  readonly definition: Interface | undefined;
  readonly problems: readonly HandlerError[];
}

/**
 * Reads the folder of one interface version, `<name>/v<N>`, and lints it whole: S1 to S6 of the seed, contracts S.8, S.9 and
 * S.17. All problems are found at once.
 *
 * @param soundHashes with which it was found sound: with one of them it is the very same, so that it is read without
 * linting again (a linter asks both validators, which costs more than the daemon's whole start)
 */
export async function readInterface(
  folder: string,
  origin: Interface["origin"],
  soundHashes: readonly (string | undefined)[] = [],
): Promise<InterfaceRead> {
  const problems: HandlerError[] = [];
  try {
    const hash = soundHashes.some((known) => known !== undefined) ? await folderHash(folder) : undefined;
    const proven = hash !== undefined && soundHashes.includes(hash);
    if (proven) return { definition: await readProven(folder, origin, hash), problems };
    const head = await readHead(folder, problems);
    if (!head) return { definition: undefined, problems };
    problems.push(...await strangeFiles(folder, head.name));
    const definition = await readParts(folder, head, origin, problems);
    return { definition: problems.length === 0 ? deepFreeze(definition) : undefined, problems };
  } catch (error) {
    problems.push(...(error instanceof ProblemList ? error.problems : [asHandlerError(error)]));
    return { definition: undefined, problems };
  }
}

async function readProven(folder: string, origin: Interface["origin"], hash: string): Promise<Interface> {
  const file = `${folder}/interface.toml`;
  const head = decodeToml(await readBytes(file), { file, kind: "interface", shape: interfaceShape });
  const toolsText = await readText(`${folder}/tools.json`);
  const skill = await readText(`${folder}/skills/${head.name}/SKILL.md`);
  const tools = JSON.parse(toolsText) as ToolDefinition[];
  return deepFreeze({
    ...head,
    id: `${head.name}/v${head.version}`,
    folder,
    tools,
    toolsText,
    skill,
    hash,
    origin,
  });
}

async function readHead(folder: string, problems: HandlerError[]): Promise<InterfaceFile | undefined> {
  const file = `${folder}/interface.toml`;
  const bytes = await fileOf(folder, "interface.toml", problems);
  if (!bytes) return undefined;
  const decoded = decodeTomlFile(bytes, { file, kind: "interface", shape: interfaceShape });
  problems.push(...decoded.problems, ...headProblems(decoded, folder));
  return decoded.record;
}

function headProblems({ record, problem }: Decoded<InterfaceFile>, folder: string): readonly HandlerError[] {
  if (!record) return [];
  const found: HandlerError[] = [];
  const [nameFolder, versionFolder] = folder.split("/").slice(-2);
  if (record.name !== nameFolder) {
    found.push(problem(["name"], `must be the name of its folder, ${nameFolder}, found ${record.name}`));
  }
  if (`v${record.version}` !== versionFolder) {
    found.push(
      problem(["version"], `must be the version of its folder, ${versionFolder}, found ${record.version}`),
    );
  }
  const { progressSeconds, timeoutSeconds } = record.limits;
  if (progressSeconds >= timeoutSeconds) {
    const rule = `must be less than timeoutSeconds, ${timeoutSeconds}, which would end the call first`;
    found.push(problem(["limits", "progressSeconds"], `${rule}, found ${progressSeconds}`));
  }
  if (!Object.hasOwn(record.errors, "unavailable")) {
    found.push(problem(["errors"], "must declare unavailable: any service can be down"));
  }
  for (const code of PLATFORM_ERRORS) {
    if (!Object.hasOwn(record.errors, code)) continue;
    found.push(
      problem(["errors", code], `must not be declared: ${code} is the platform's own and may always come`),
    );
  }
  for (const [path, text] of [[["description"], record.description], ...meanings(record)] as const) {
    const hidden = hiddenCharacters(text)[0];
    if (hidden) found.push(problem(path, `must hold no character that is not seen, found ${hidden.name}`));
  }
  return found;
}

function meanings({ errors }: InterfaceFile): readonly (readonly [readonly string[], string])[] {
  return Object.entries(errors).map(([code, meaning]) => [["errors", code], meaning]);
}

async function readParts(
  folder: string,
  head: InterfaceFile,
  origin: Interface["origin"],
  problems: HandlerError[],
): Promise<Interface> {
  const id = `${head.name}/v${head.version}`;
  const toolsText = await textOf(folder, "tools.json", problems);
  const tools = toolsText === undefined
    ? { tools: [], problems: [] }
    : readTools(toolsText, `${folder}/tools.json`, head.name, checkToolSchema);
  problems.push(...tools.problems);
  const skill = await readSkill(folder, head, tools.tools.map(({ name }) => name), problems);
  // cases are held against schemas, so the schemas must be sound first
  const sound = tools.tools.length > 0 && tools.problems.length === 0;
  if (sound) {
    problems.push(...(await readCases({ folder, id, tools: tools.tools, errors: head.errors })).problems);
  }
  return {
    ...head,
    id,
    folder,
    tools: tools.tools,
    toolsText: toolsText ?? "",
    skill: skill ?? "",
    hash: await folderHash(folder),
    origin,
  };
}

async function readSkill(
  folder: string,
  { name, errors }: InterfaceFile,
  tools: readonly string[],
  problems: HandlerError[],
): Promise<string | undefined> {
  const path = `skills/${name}/SKILL.md`;
  const text = await textOf(folder, path, problems);
  if (text !== undefined) {
    const subject = { interfaceName: name, tools, errors: Object.keys(errors) };
    problems.push(...checkSkill(text, `${folder}/${path}`, subject));
  }
  return text;
}

/** Nothing lies in an interface's folder that is not part of the contract: it would change its hash unseen. */
async function strangeFiles(folder: string, name: string): Promise<readonly HandlerError[]> {
  const own = ["interface.toml", "tools.json", `skills/${name}/SKILL.md`];
  return (await walkFiles(folder))
    .filter(({ path, kind }) => kind !== "file" || !(own.includes(path) || path.startsWith("conformance/")))
    .map(({ path, kind }) => {
      const what = kind === "file" ? "this file" : `a ${kind}`;
      return new HandlerError("invalid", `an interface's folder holds no other files, found ${what}`, {
        where: { file: `${folder}/${path}` },
        hint: `its files are ${own.join(", ")} and conformance/…`,
      });
    });
}

async function fileOf(
  folder: string,
  path: string,
  problems: HandlerError[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = `${folder}/${path}`;
  if ((await statIfThere(file))?.isFile) return await readBytes(file);
  problems.push(new HandlerError("invalid", `an interface has the file ${path}`, { where: { file } }));
  return undefined;
}

async function textOf(folder: string, path: string, problems: HandlerError[]): Promise<string | undefined> {
  const bytes = await fileOf(folder, path, problems);
  try {
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    problems.push(new HandlerError("invalid", "must be UTF-8", { where: { file: `${folder}/${path}` } }));
    return undefined;
  }
}
