import { dirname } from "node:path";
import { ensureFolder, type Folders, setMode, writeAtomic } from "../platform/mod.ts";
import type { AgentService } from "./ports.ts";

/** Where the files of a session lie on the host. */
export interface SessionPlaces {
  /** The sandbox's name; unique among those that run. */
  readonly sandbox: string;
  /** In the runtime folder, gone with the session; short, for the sake of socket paths. */
  readonly run: string;
  readonly services: string;
  readonly skills: string;
  readonly stdin: string;
  /** In the state folder: the log, and while it runs what the program prints. */
  readonly log: string;
  readonly output: string;
  readonly checkpoint: string;
  /** In the data folder, kept for the agent's next session. */
  readonly home: string;
}

/** The places of a session. The last 11 characters of its id are chance alone (55 bits), enough to tell it apart. */
export function placesOf(folders: Folders, agent: string, session: string): SessionPlaces {
  const short = session.slice(-11);
  const run = `${folders.runtime}/s/${short}`;
  const log = `${folders.state}/sessions/${session}`;
  return {
    sandbox: `agent-${short}`,
    run,
    services: `${run}/services`,
    skills: `${run}/skills`,
    stdin: `${run}/stdin`,
    log,
    output: `${log}/output`,
    checkpoint: `${log}/checkpoint.json`,
    home: `${folders.data}/agents/${agent}/home`,
  };
}

/** Makes the folders that are mounted; the sandbox's user may be another one, the folders above are the person's alone. */
export async function makePlaces({ services, skills, log, home }: SessionPlaces): Promise<void> {
  await ensureFolder(log);
  await ensureFolder(home);
  for (const open of [services, skills]) await openFolder(open);
}

/** Puts each service's skill where the agent can read it. */
export async function writeSkills(folder: string, services: readonly AgentService[]): Promise<void> {
  for (const { name, skill } of services) {
    await openFolder(`${folder}/${name}`);
    await writeReadable(`${folder}/${name}/SKILL.md`, skill);
  }
}

/** Writes a harness's files below the agent's home. */
export async function writeHomeFiles(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await ensureFolder(dirname(`${home}/${path}`));
    await writeAtomic(`${home}/${path}`, text);
  }
}

async function openFolder(path: string): Promise<void> {
  await ensureFolder(path);
  await setMode(path, 0o755);
}

async function writeReadable(path: string, text: string): Promise<void> {
  await writeAtomic(path, text);
  await setMode(path, 0o644); // the umask is the daemon's
}
