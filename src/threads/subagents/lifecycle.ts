import { isObject, type Json, type JsonObject } from "../../base/mod.ts";
import type { SessionRow } from "../../store/mod.ts";
import { linkOf } from "../engine/children.ts";
import { attachmentsOf } from "../state/attachments.ts";
import type { RunContext } from "../state/context.ts";
import { threadOf } from "../state/messages.ts";
import { checkArguments } from "../tools/check_arguments.ts";
import { failure, success, type ToolResult } from "../tools/tool_result.ts";
import { copyFiles, deliver } from "./deliver.ts";
import { childrenText, CREATE, LIST, MESSAGE } from "./lifecycle_tools.ts";
import { type NewChild, paths, planCreate } from "./plan.ts";
import { relationshipsOf } from "./relationships.ts";
import { parentView } from "./view.ts";

/** Tells hooks that a thread has a child. */
export type TellCreated = (context: RunContext, child: string) => Promise<void>;

/** Runs one of the lifecycle tools (threads.md §7). @throws what the store says; the turn's abort */
export async function runLifecycle(
  context: RunContext,
  name: string,
  args: Json,
  tellCreated: TellCreated,
): Promise<ToolResult> {
  const problem = checkArguments(name, SCHEMAS[name], args);
  if (problem) return problem;
  const given = args as JsonObject;
  switch (name) {
    case CREATE:
      return await create(context, given, tellCreated);
    case MESSAGE:
      return await message(context, given);
    case LIST:
      return success(childrenText(visibleChildren(context)));
    default:
      return failure(`there is no tool "${name}"`, "unknown_tool");
  }
}

/** What code must give; a model's schema says more. `attachments` and `name` may be left out by code. */
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  [CREATE]: {
    type: "object",
    required: ["agent"],
    properties: {
      agent: { type: "string", minLength: 1 },
      message: { type: "string" },
      name: { type: "string" },
      attachments: { type: "array" },
      arguments: { type: ["object", "null"] },
    },
  },
  [MESSAGE]: {
    type: "object",
    required: ["referenceId", "message"],
    properties: {
      referenceId: { type: "string" },
      message: { type: "string", minLength: 1 },
      attachments: { type: "array" },
    },
  },
};

async function create(context: RunContext, given: JsonObject, tellCreated: TellCreated): Promise<ToolResult> {
  const text = (name: string) => typeof given[name] === "string" ? given[name].trim() : "";
  const plan = planCreate(parentView(context), {
    agent: text("agent"),
    message: text("message"),
    name: text("name"),
    attachments: paths(given["attachments"]) ?? [],
    arguments: isObject(given["arguments"]) ? given["arguments"] as JsonObject : {},
  });
  if (plan.kind === "refused") return plan.result;
  if (plan.message === "") return failure("a subagent needs a message to begin with", "invalid_arguments");
  const missing = missingFile(context, plan.attachments);
  if (missing) return missing;
  if (plan.kind === "continue") return await send(context, plan.child.reference, plan);
  const reference = await spawn(context, plan.child);
  await tellCreated(context, reference);
  return await send(context, reference, plan);
}

/** Makes the child's thread; nothing is said to it yet. */
async function spawn(context: RunContext, child: NewChild): Promise<string> {
  const { engine, definitions } = context;
  const { owner, relationship } = child;
  return await engine.write("process", (tx, acts) => {
    const parent = acts.thread(tx, context.thread);
    const row = engine.create(tx, acts, definitions, {
      project: parent.project,
      agent: relationship.agent,
      person: parent.person,
      title: child.title,
      description: child.description,
      link: linkOf(parent, owner, relationship, null),
      arguments: child.arguments,
      env: child.env,
    });
    acts.changed.add(parent.id);
    return row.id;
  });
}

async function message(context: RunContext, given: JsonObject): Promise<ToolResult> {
  const reference = String(given["referenceId"]);
  const child = context.engine.ports.store.thread(reference);
  if (child?.link?.parent !== context.thread || child.terminatedAt !== null) {
    const live = visibleChildren(context).filter(({ status }) => status !== "terminated");
    const names = live.map((one) => one.reference).join(", ") || "none";
    return failure(`there is no live subagent ${reference}; there are: ${names}`, "unknown_subagent");
  }
  const attachments = paths(given["attachments"]) ?? [];
  return missingFile(context, attachments) ??
    await send(context, reference, { message: String(given["message"]), attachments });
}

/** Gives a child a message; of a blocking relationship the end of its session is waited for. */
async function send(
  context: RunContext,
  reference: string,
  word: { readonly message: string; readonly attachments: readonly string[] },
): Promise<ToolResult> {
  const { engine, turn } = context;
  const child = threadOf(engine.ports.store, reference);
  if (!child.link?.blocking || !turn) {
    await deliver(context, reference, word);
    const note = "it works on its own";
    return success(JSON.stringify({ referenceId: reference, status: "running", note }), {
      subagent_id: reference,
    });
  }
  const session = await engine.sessionEnd(child, turn, () => deliver(context, reference, word));
  const attachments = await resultFiles(context, reference);
  return { ...sessionResult(reference, session), ...attachments.length === 0 ? {} : { attachments } };
}

/** Copies of the files that the tool which ended a child's session gave along. */
async function resultFiles(context: RunContext, child: string): Promise<readonly Json[]> {
  const { store } = context.engine.ports;
  const page = { limit: 1, offset: 0, order: "desc", includeSilent: true, maxDepth: 0 } as const;
  const [last] = store.messages(child, page);
  if (last?.role !== "tool" || last.attachments === null) return [];
  const copies = await copyFiles(context, child, context.thread, paths(JSON.parse(last.attachments)) ?? []);
  return attachmentsOf(store, context.thread, copies) ?? [];
}

/** What a session came to, as the result of the call that waited for it (threads.md §7.2). */
export function sessionResult(reference: string, { success: good, result, reason }: SessionRow): ToolResult {
  const text = result ?? "";
  const more = { subagent_id: reference };
  if (good) {
    return success(JSON.stringify({ referenceId: reference, status: "finished", result: text }), more);
  }
  return {
    ...failure(text === "" ? `the subagent's session ended: ${reason}` : text, "subagent_failed", {
      referenceId: reference,
    }),
    ...more,
  };
}

/** The children that a model may know of: those of hidden relationships are left out. */
function visibleChildren(context: RunContext) {
  const view = parentView(context);
  const hidden = new Set(
    relationshipsOf(view.agent, view.side).filter(({ relationship }) => relationship.hidden)
      .map(({ relationship }) => relationship.as),
  );
  return view.children.filter((child) => !hidden.has(child.relationship));
}

function missingFile(context: RunContext, attachments: readonly string[]): ToolResult | undefined {
  const { store } = context.engine.ports;
  const missing = attachments.find((path) => store.file(context.thread, path)?.isDirectory !== false);
  return missing === undefined
    ? undefined
    : failure(`the thread has no file ${missing}`, "unknown_attachment", { path: missing });
}
