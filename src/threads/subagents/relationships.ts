import type { Side } from "../../store/mod.ts";
import type { AgentDefinition, RelationshipDefinition, SubagentEntry } from "../../wire/mod.ts";
import { siblingOf, sideOf } from "../definitions.ts";
import { isEnabled } from "../engine/children.ts";

/** A relationship with the side that owns it. */
export interface OwnedRelationship {
  readonly owner: Side;
  readonly relationship: RelationshipDefinition;
}

/** Looks up a variable; undefined where nothing sets it. */
export type EnvOf = (name: string) => string | undefined;

/** What an agent's sides declare, those of a side first. */
export function relationshipsOf(agent: AgentDefinition, first: Side): readonly OwnedRelationship[] {
  return [first, siblingOf(first)].flatMap((owner) =>
    sideOf(agent, owner).subagents.map((relationship) => ({ owner, relationship }))
  );
}

/** What a model on a side may be told of: its own relationships that are on and not hidden. */
export function visibleOf(agent: AgentDefinition, side: Side, env: EnvOf): readonly OwnedRelationship[] {
  return sideOf(agent, side).subagents
    .filter((relationship) => !relationship.hidden && isEnabled(relationship, env))
    .map((relationship) => ({ owner: side, relationship }));
}

/** The children of a relationship that are not terminated. */
export function liveOf(
  children: readonly SubagentEntry[],
  { owner, relationship }: OwnedRelationship,
): readonly SubagentEntry[] {
  return children.filter((child) =>
    child.owner === owner && child.relationship === relationship.as && child.status !== "terminated"
  );
}
