import { HandlerError } from "../../base/mod.ts";
import { copyTreeGuarded, folderMark } from "../../platform/mod.ts";

/** A project's definitions, below its folder. */
export const AGENTS = "agents";

const LEAVE_OUT = ["node_modules", ".git"];
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What a project's definitions look like on disk, to tell whether they have changed.
 * @throws {HandlerError} `not_found` where there are none
 */
export function agentsMark(folder: string): string {
  const mark = folderMark(`${folder}/${AGENTS}`, LEAVE_OUT);
  if (mark !== undefined) return mark;
  throw new HandlerError("not_found", `there is no folder of definitions ${folder}/${AGENTS}`, {
    hint: "agents, prompts, tools and handlers lie in folders of their names below it",
  });
}

/**
 * Copies a project's definitions, so that a host loads all of them as they were in one moment, and a link that is put in
 * their place meanwhile shows it nothing else of the machine.
 *
 * @throws {HandlerError} `invalid` for what is no regular file
 */
export async function copyAgents(folder: string, to: string): Promise<void> {
  await copyTreeGuarded(folder, to, {
    below: AGENTS,
    limitBytes: MOST_BYTES,
    links: "refuse",
    leaveOut: LEAVE_OUT,
  });
}
