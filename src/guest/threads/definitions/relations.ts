import { nearest } from "../../../base/mod.ts";
import { type Findings, type Found, type Written, written, writtenList, writtenText } from "./found.ts";
import { loops, spelled } from "./loops.ts";
import { LIFECYCLE_TOOLS, type Names } from "./names.ts";
import type { Problems } from "./problems.ts";
import { BINDINGS } from "./references.ts";
import { requiredFields, schemaFields } from "./schema.ts";

/** Checks that need more than one definition, names aside. */
export function checkRelations(findings: Findings, names: Names, problems: Problems): void {
  for (const found of findings.all) {
    if (found.kind === "agent") checkAgent(found, names, problems);
    if (found.kind === "prompt") checkPromptTools(found, names, problems);
    if (found.kind === "tool") checkTool(found, problems);
  }
  checkIncludes(findings, problems);
  checkSpawns(findings, problems);
}

function checkAgent(agent: Found, names: Names, problems: Problems): void {
  for (const key of ["sideA", "sideB"]) {
    const side = written(agent.value[key]);
    checkOffered(agent, side, key, names, problems);
    for (const [index, entry] of writtenList(side["subagents"]).entries()) {
      checkRelationship(agent, written(entry), `${key}.subagents[${index}]`, names, problems);
    }
  }
}

function checkRelationship(
  from: Found,
  entry: Written,
  path: string,
  names: Names,
  problems: Problems,
): void {
  const child = names.find("agent", writtenText(entry["agent"]) ?? "");
  if (!child) return;
  checkExposed(child, from, `${path}.agent`, "to be a child", problems);
  checkArguments(child, from, entry, path, names, problems);
  checkAlone(child, from, entry, path, names, problems);
  const told = entry["blocking"] === true || entry["parentCommunication"] !== "explicit";
  if (told && waitsForPerson(child.value)) {
    problems.warn(
      from.file,
      path,
      `"${child.name}" has a human side and nothing that ends its session: it tells of its end only after ` +
        `stopSession(), sessionStop, sessionFail or maxSessionTurns`,
    );
  }
}

function checkExposed(agent: Found, from: Found, path: string, purpose: string, problems: Problems): void {
  if (agent.value["exposeAsTool"] === true) return;
  problems.error(from.file, path, `"${agent.name}" must have exposeAsTool: true ${purpose} (${agent.file})`);
}

/** Whether an agent parks for a person instead of ending. */
function waitsForPerson(agent: Written): boolean {
  const sides = [written(agent["sideA"]), written(agent["sideB"])];
  const ends = sides.some((side) => side["sessionStop"] !== undefined || side["sessionFail"] !== undefined);
  return !ends && agent["maxSessionTurns"] === undefined && sides.some((side) => side["human"] === true);
}

/** A child that is spawned with its parent is given no arguments. */
function checkAlone(
  child: Found,
  from: Found,
  entry: Written,
  path: string,
  names: Names,
  problems: Problems,
): void {
  if (!entry["immediate"]) return;
  const prompt = firstPrompt(child, names);
  const needed = requiredFields(prompt?.value["requiredSchema"]);
  if (!prompt || needed.length === 0) return;
  const message = `"${child.name}" is spawned without arguments, and "${prompt.name}" needs ${
    needed.join(", ")
  }`;
  problems.warn(from.file, `${path}.immediate`, message);
}

/** The prompt that takes an agent's arguments, or the prompt itself. */
function firstPrompt(called: Found, names: Names): Found | undefined {
  if (called.kind === "prompt") return called;
  return names.find("prompt", writtenText(written(called.value["sideA"])["prompt"]) ?? "");
}

const TAKEN = ["initUserMessageProperty", "initAttachmentsProperty", "initAgentNameProperty"];

/** The properties that a child's first message comes from are arguments of it. */
function checkArguments(
  child: Found,
  from: Found,
  entry: Written,
  path: string,
  names: Names,
  problems: Problems,
): void {
  const prompt = firstPrompt(child, names);
  const fields = schemaFields(prompt?.value["requiredSchema"]);
  if (!prompt || !fields) return;
  for (const key of TAKEN) {
    const field = writtenText(entry[key]);
    if (field === undefined || fields.includes(field)) continue;
    const near = nearest(field, fields);
    const meant = near ? ` (did you mean "${near}"?)` : "";
    problems.error(
      from.file,
      `${path}.${key}`,
      `requiredSchema of "${prompt.name}" has no "${field}"${meant}`,
    );
  }
}

/** A tool that ends a turn or a session is of use only where the side's prompt may call it. */
function checkOffered(agent: Found, side: Written, path: string, names: Names, problems: Problems): void {
  const prompt = names.find("prompt", writtenText(side["prompt"]) ?? "");
  if (!prompt || writtenList(prompt.value["services"]).length > 0) return;
  const offered = writtenList(prompt.value["tools"]).map(toolName);
  const bound: readonly (readonly [string, unknown])[] = [
    ["stopTool", side["stopTool"]],
    ...BINDINGS.map((key) => [`${key}.name`, written(side[key])["name"]] as const),
  ];
  for (const [key, value] of bound) {
    const name = writtenText(value);
    if (name === undefined || offered.includes(name) || !names.isCallable(name)) continue;
    problems.warn(
      agent.file,
      `${path}.${key}`,
      `the prompt "${prompt.name}" may not call "${name}": it is not among its tools`,
    );
  }
}

function toolName(entry: unknown): string | undefined {
  return writtenText(entry) ?? writtenText(written(entry)["name"]);
}

function checkPromptTools(prompt: Found, names: Names, problems: Problems): void {
  const entries = writtenList(prompt.value["tools"]);
  const all = entries.map(toolName);
  for (const [index, entry] of entries.entries()) {
    const name = toolName(entry);
    if (name === undefined) continue;
    const path = `tools[${index}]${typeof entry === "string" ? "" : ".name"}`;
    if (all.indexOf(name) !== index) problems.warn(prompt.file, path, `"${name}" stands there twice`);
    if (/^(provider|mcp):/.test(name)) {
      problems.warn(
        prompt.file,
        path,
        'it is left out: tools from elsewhere come with a service, in "services"',
      );
    }
    const agent = names.find("agent", name);
    if (agent) checkExposed(agent, prompt, path, "to be called", problems);
    const called = agent ?? names.find("prompt", name);
    if (called) checkArguments(called, prompt, written(entry), `tools[${index}]`, names, problems);
  }
}

function checkTool(tool: Found, problems: Problems): void {
  if (LIFECYCLE_TOOLS.includes(tool.name)) {
    problems.error(
      tool.file,
      "",
      `"${tool.name}" is a tool of the runtime: the file must be called otherwise`,
    );
  }
  const progress = writtenText(tool.value["progressArgument"]);
  if (progress === undefined) return;
  if (schemaFields(tool.value["args"])?.includes(progress)) return;
  problems.error(tool.file, "progressArgument", `args has no "${progress}"`);
}

function checkIncludes({ all }: Findings, problems: Problems): void {
  const prompts = all.filter(({ kind }) => kind === "prompt");
  const included = (found: Found) =>
    writtenList(found.value["prompt"]).map((part) => writtenText(written(part)["prompt"]));
  reportLoops(prompts, included, problems, (found, next) => ({
    path: `prompt[${included(found).indexOf(next)}].prompt`,
    what: "prompts include each other without end",
  }));
}

/** Children that are spawned with their parents must not come back to them. */
function checkSpawns({ all }: Findings, problems: Problems): void {
  const places = (found: Found) =>
    ["sideA", "sideB"].flatMap((key) =>
      writtenList(written(found.value[key])["subagents"]).map((value, index) => ({
        path: `${key}.subagents[${index}].immediate`,
        entry: written(value),
      }))
    ).filter(({ entry }) => entry["immediate"] && entry["optional"] === undefined);
  const spawned = (found: Found) => places(found).map(({ entry }) => writtenText(entry["agent"]));
  const agents = all.filter(({ kind }) => kind === "agent");
  reportLoops(agents, spawned, problems, (found, next) => ({
    path: places(found)[spawned(found).indexOf(next)]?.path ?? "",
    what: "agents spawn each other without end",
  }));
}

function reportLoops(
  nodes: readonly Found[],
  nextOf: (node: Found) => readonly (string | undefined)[],
  problems: Problems,
  place: (node: Found, next: string) => { readonly path: string; readonly what: string },
): void {
  const graph = new Map(nodes.map((node) => [node.name, nextOf(node).filter((name) => name !== undefined)]));
  for (const loop of loops(graph)) {
    const first = nodes.find(({ name }) => name === loop[0]);
    if (!first) continue;
    const { path, what } = place(first, loop[1] ?? loop[0]);
    problems.error(first.file, path, `${what}: ${spelled(loop)}`);
  }
}
