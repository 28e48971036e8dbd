import { isEnabled, liveOf, type OwnedRelationship, relationshipsOf } from "./relationships.ts";
import { type NewChild, newChild, type ParentView } from "./plan.ts";
import type { ToolResult } from "../tools/tool_result.ts";

/** A fan-out ends here, whatever the variables say. */
const MOST = 100;

/** What is to be spawned at once, and what cannot be. */
export interface ImmediatePlan {
  readonly children: readonly NewChild[];
  readonly refused: readonly { readonly relationship: string; readonly result: ToolResult }[];
}

/**
 * The children that a thread has from the start (threads.md §7.6): one of each immediate relationship, or with
 * `scopedEnv` one for each index that its variables have (`X`, `X__2`, …), up to the cap. A live one suppresses it.
 *
 * @param groupId gives a name for children that are spawned together
 */
export function planImmediate(parent: ParentView, groupId: () => string): ImmediatePlan {
  const children: NewChild[] = [], refused: { relationship: string; result: ToolResult }[] = [];
  for (const owned of relationshipsOf(parent.agent, "a")) {
    const { relationship } = owned;
    if (!relationship.immediate || !isEnabled(relationship, parent.env)) continue;
    if (liveOf(parent.children, owned).length > 0) continue;
    const indexes = indexesOf(parent, owned);
    const spawnGroup = indexes.length > 1 ? { spawnGroup: groupId() } : {};
    for (const index of indexes) {
      const child = newChild(parent, owned, {
        ...atIndex(parent, owned, index),
        arguments: {},
        ...spawnGroup,
      });
      if ("status" in child) refused.push({ relationship: relationship.as, result: child });
      else children.push(child);
    }
  }
  return { children, refused };
}

/** The indexes of a fan-out, from 1. */
function indexesOf(parent: ParentView, { relationship }: OwnedRelationship): readonly number[] {
  const names = relationship.immediate ? relationship.immediate.scopedEnv ?? [] : [];
  const indexes = [1];
  const most = Math.min(relationship.maxInstances ?? MOST, MOST);
  if (names.length === 0) return indexes;
  for (let index = 2; index <= most; index++) {
    if (!names.some((name) => parent.env(indexed(name, index)) !== undefined)) break;
    indexes.push(index);
  }
  return indexes;
}

function indexed(name: string, index: number): string {
  return index === 1 ? name : `${name}__${index}`;
}

/** What the variables of an index say: name, description, scoped values under their plain names. */
function atIndex(parent: ParentView, { relationship }: OwnedRelationship, index: number) {
  const hints = relationship.immediate || {};
  const value = (name: string | undefined) =>
    name === undefined ? undefined : parent.env(indexed(name, index));
  const description = value(hints.descriptionEnv);
  const given: Record<string, string> = {};
  for (const name of hints.scopedEnv ?? []) {
    const found = value(name);
    if (found !== undefined) given[name] = found;
  }
  return { title: value(hints.nameEnv) ?? null, given, ...description === undefined ? {} : { description } };
}
