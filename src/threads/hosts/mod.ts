/**
 * Thread hosts: one process a project that works, in a sandbox, running the functions of its definitions.
 * @module
 */
import { HandlerError } from "../../base/mod.ts";
import type { ThreadHosts } from "../ports.ts";
import type { ThreadHostsPorts } from "./ports.ts";
import { ProjectHosts } from "./project_hosts.ts";
import { startHost } from "./start_host.ts";

export type { ThreadHostsPorts } from "./ports.ts";
export { SPIN_CPU_MS } from "./pulse.ts";

/** Builds the hosts of all projects; nothing is started before it is asked for. */
export function createThreadHosts(ports: ThreadHostsPorts): ThreadHosts {
  const projects = new Map<string, ProjectHosts>();
  const of = (project: string) => {
    let hosts = projects.get(project);
    if (!hosts) projects.set(project, hosts = new ProjectHosts(project, ports));
    return hosts;
  };
  return {
    current: (project) => projects.get(project)?.current(),
    get: (project) => of(project).get(),
    use: (project) => of(project).use(),
    async check(project) {
      const folder = ports.projectFolder(project);
      if (folder === undefined) {
        throw new HandlerError("not_found", `there is no project "${project}"`, {
          hint: "handler project list",
        });
      }
      const { definitions, problems, ...host } = await started(ports, project, folder);
      await host.end();
      return { definitions, problems };
    },
    close: async () => void await Promise.all([...projects.values()].map((hosts) => hosts.close())),
  };
}

async function started(ports: ThreadHostsPorts, project: string, folder: string) {
  const host = await startHost(ports, { project, folder, rests: () => {} });
  return { definitions: host.definitions, problems: host.problems, end: () => host.end() };
}
