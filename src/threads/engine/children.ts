import { HandlerError, type Json, newId } from "../../base/mod.ts";
import type { ChildLink, EnvRow, Side, ThreadReads, ThreadRow, ThreadWrites } from "../../store/mod.ts";
import type { RelationshipDefinition, SubagentEntry, ThreadSnapshot } from "../../wire/mod.ts";
import { type Definitions, sideOf } from "../definitions.ts";
import { scopedVariables } from "../subagents/child_env.ts";
import type { Acts } from "./acts.ts";
import { appendLog } from "./append.ts";

/** How deep agents may nest that have each other as immediate children. */
const DEPTH_LIMIT = 8;
const SIDES: readonly Side[] = ["a", "b"];

/** What a thread is made from. */
export interface ThreadInput {
  readonly project: string;
  readonly agent: string;
  readonly person: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly link: ChildLink | null;
  readonly arguments: Json;
  readonly env: readonly EnvRow[];
}

/** What every thread is made with. */
export interface Making {
  readonly definitions: Definitions;
  readonly nowMs: number;
  /** A variable as a thread sees it. */
  env(tx: ThreadReads, thread: ThreadRow, name: string): string | undefined;
}

/** In a transaction: makes a thread and the children that its sides have from the start (threads.md §7.6). */
export function createThread(
  tx: ThreadWrites,
  acts: Acts,
  making: Making,
  input: ThreadInput,
  depth = 0,
): ThreadRow {
  if (depth > DEPTH_LIMIT) {
    throw new HandlerError(
      "invalid",
      `immediate children of ${input.agent} nest more than ${DEPTH_LIMIT} deep`,
      {
        hint: "an agent may not have itself as an immediate child, directly or through others",
      },
    );
  }
  const agent = making.definitions.agent(input.agent);
  const row: ThreadRow = {
    id: newId(making.nowMs),
    project: input.project,
    agent: input.agent,
    person: input.person,
    title: input.title,
    description: input.description,
    createdAt: making.nowMs * 1000,
    link: input.link,
    arguments: JSON.stringify(input.arguments),
    terminatedAt: null,
    stopped: false,
    status: "idle",
    statusText: null,
    seq: 0,
    seenA: 0,
    seenB: 0,
    turn: null,
    session: 0,
    sessionOpen: false,
    turnsA: 0,
    turnsB: 0,
    hops: 0,
  };
  tx.insertThread(row);
  acts.adopt(row);
  acts.changed.add(row.id);
  for (const variable of input.env) tx.putEnv(row.id, variable);
  for (const side of SIDES) {
    for (const relationship of sideOf(agent, side).subagents) {
      spawnImmediate(tx, acts, making, row, side, relationship, depth + 1);
    }
  }
  return row;
}

/** In a transaction: the immediate children of one relationship that are not there yet. */
export function spawnImmediate(
  tx: ThreadWrites,
  acts: Acts,
  making: Making,
  parent: ThreadRow,
  side: Side,
  relationship: RelationshipDefinition,
  depth = 1,
): void {
  if (!relationship.immediate) return;
  const env = (name: string) => making.env(tx, parent, name);
  if (!isEnabled(relationship, env)) return;
  const live = liveChildren(tx, parent.id, relationship.as).length;
  if (live > 0) return;
  const { nameEnv, descriptionEnv } = relationship.immediate;
  const most = relationship.maxInstances ?? Infinity;
  const own = scopedVariables(making.definitions, relationship.agent);
  instances(relationship, env).slice(0, most).forEach((variables) => {
    const missing = own.filter(({ name, required }) =>
      required && !variables.some((variable) => variable.name === name)
    );
    if (missing.length > 0) return noteMissing(tx, acts, making, parent, relationship.as, missing);
    createThread(tx, acts, making, {
      project: parent.project,
      agent: relationship.agent,
      person: parent.person,
      title: (nameEnv ? env(nameEnv) : undefined) ?? null,
      description: (descriptionEnv ? env(descriptionEnv) : undefined) ?? relationship.description ?? null,
      link: linkOf(parent, side, relationship, null),
      arguments: {},
      env: inheritedEnv(tx, parent, variables, own),
    }, depth);
  });
}

/** A child that cannot be is not there; the log says why. */
function noteMissing(
  tx: ThreadWrites,
  acts: Acts,
  { nowMs }: Making,
  parent: ThreadRow,
  relationship: string,
  missing: readonly { readonly name: string }[],
): void {
  const names = missing.map(({ name }) => name).join(", ");
  const message = `the subagent "${relationship}" needs ${names}, which nothing sets`;
  const error = { message, type: "subagent_env_required", origin: "runtime" };
  appendLog(tx, acts, parent, { turn: null, kind: "runtime", name: relationship, error }, nowMs);
}

/**
 * In a transaction: the thread goes on as another agent, with the children that it has from the start. What was said before
 * is history: nobody is given it again.
 */
export function handOver(
  tx: ThreadWrites,
  acts: Acts,
  making: Making,
  thread: ThreadRow,
  agent: string,
): void {
  thread.agent = agent;
  thread.seenA = thread.seenB = thread.seq;
  const made = making.definitions.agent(agent);
  for (const side of SIDES) {
    for (const relationship of sideOf(made, side).subagents) {
      spawnImmediate(tx, acts, making, thread, side, relationship);
    }
  }
  acts.changed.add(thread.id);
}

/** One set of scoped variables for each instance: `X`, `X__2`, `X__3` and so on. */
function instances(
  { immediate, scopedEnv }: RelationshipDefinition,
  env: (name: string) => string | undefined,
): readonly EnvRow[][] {
  const fanned = immediate ? immediate.scopedEnv ?? [] : [];
  const fixed = scopedEnv.filter((name) => !fanned.includes(name));
  const of = (suffix: string) =>
    [
      ...fixed.map((name) => [name, env(name)] as const),
      ...fanned.map((name) => [name, env(name + suffix)] as const),
    ]
      .flatMap(([name, value]) => value === undefined ? [] : [{ name, value, type: "secret" as const }]);
  const sets = [of("")];
  for (let index = 2; fanned.some((name) => env(`${name}__${index}`) !== undefined); index++) {
    sets.push(of(`__${index}`));
  }
  return sets;
}

/** What a child has from its parent's own variables but for those that are each child's own, with what it is given. */
function inheritedEnv(
  tx: ThreadReads,
  parent: ThreadRow,
  scoped: readonly EnvRow[],
  own: readonly { readonly name: string }[],
): readonly EnvRow[] {
  const given = new Set([...scoped, ...own].map(({ name }) => name));
  return [...tx.env(parent.id).filter(({ name }) => !given.has(name)), ...scoped];
}

/** What a new child is to its parent. */
export function linkOf(
  parent: ThreadRow,
  owner: Side,
  relationship: RelationshipDefinition,
  spawnGroup: string | null,
): ChildLink {
  return {
    parent: parent.id,
    relationship: relationship.as,
    owner,
    communication: relationship.parentCommunication,
    blocking: relationship.blocking,
    spawnGroup,
  };
}

/** Whether the variable that a relationship hangs on turns it on. */
export function isEnabled(
  { optional }: RelationshipDefinition,
  env: (name: string) => string | undefined,
): boolean {
  return optional === undefined || /^(?:true|1|yes)$/i.test(env(optional) ?? "");
}

/** The children of a relationship that are not terminated. */
export function liveChildren(tx: ThreadReads, parent: string, relationship: string): readonly ThreadRow[] {
  return tx.children(parent).filter((child) =>
    child.link?.relationship === relationship && child.terminatedAt === null
  );
}

/** The registry of a thread's children (threads.md §3.1). */
export function registry(
  tx: ThreadReads,
  parent: string,
  definitions: Definitions,
): readonly SubagentEntry[] {
  return tx.children(parent).flatMap((child) => child.link ? [entry(child, child.link, definitions)] : []);
}

function entry(child: ThreadRow, link: ChildLink, definitions: Definitions): SubagentEntry {
  const status = child.terminatedAt !== null ? "terminated" : child.statusText ?? child.status;
  return {
    reference: child.id,
    relationship: link.relationship,
    owner: link.owner,
    name: child.agent,
    ...child.title !== null && { title: child.title, threadName: child.title },
    description: child.description ?? definitions.agents.get(child.agent)?.toolDescription ?? "",
    blocking: link.blocking,
    parentCommunication: link.communication,
    status,
    ...link.spawnGroup !== null && { spawnGroupId: link.spawnGroup },
    initialArguments: JSON.parse(child.arguments),
    createdAt: child.createdAt,
  };
}

/** A thread as code sees it when it starts. */
export function snapshotOf(tx: ThreadReads, thread: ThreadRow, definitions: Definitions): ThreadSnapshot {
  return {
    threadId: thread.id,
    agentId: thread.agent,
    userId: thread.person,
    createdAt: thread.createdAt,
    terminated: thread.terminatedAt,
    arguments: JSON.parse(thread.arguments),
    children: registry(tx, thread.id, definitions),
  };
}
