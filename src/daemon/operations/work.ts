import type { Operations, SessionView } from "../../api/mod.ts";
import type { Session } from "../../agents/mod.ts";
import type { Parts } from "../assemble.ts";
import { costOf } from "./cost.ts";
import { toFilter } from "./records.ts";

type WorkOperations = Pick<
  Operations,
  | "calls"
  | "run"
  | "sessions"
  | "session"
  | "sessionStop"
  | "sessionLog"
  | "sessionInput"
  | "externalServices"
>;

/** Sessions of agents, and what they called. */
export function workOperations(parts: Parts): WorkOperations {
  const { agents, store } = parts;
  return {
    calls(query) {
      const records = store.calls.query(toFilter(query));
      return Promise.resolve(
        records.map((one) => ({ ...one, cost: costOf(parts, one.binding, one.units) })),
      );
    },
    run: async (agent, prompt) => sessionView(await agents.run(agent, prompt === null ? {} : { prompt })),
    sessions: (all) => Promise.resolve(agents.list({ all }).map(sessionView)),
    session: (id) => Promise.resolve(sessionView(agents.get(id))),
    sessionStop: async (id) => sessionView(await agents.stop(id)),
    async *sessionLog(id, from, follow, signal) {
      for await (const { bytes } of agents.attach(id, { offset: from, follow, signal })) yield bytes;
      // who followed to the end asks next how it ended
      if (follow && !signal.aborted) await agents.wait(id);
    },
    sessionInput: (id, bytes) => agents.write(id, bytes),
    async externalServices(agent) {
      const { folder, services } = await agents.external(agent);
      return { folder, services };
    },
  };
}

function sessionView({ driver, logPath, ...rest }: Session): SessionView {
  return { ...rest, driver: driver ?? "", hasLog: logPath !== null };
}
