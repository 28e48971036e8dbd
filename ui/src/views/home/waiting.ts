import type { AgentView, AppView, ConnectorView, JobView, Status, ThreadRow } from "$client";
import type { TextKey } from "$texts";

/** Something that waits for the person: what it is, and the one thing to do. */
export interface Waiting {
  /** Distinguishes it from the others. */
  readonly id: string;
  readonly text: TextKey;
  readonly values: Readonly<Record<string, string | number>>;
  /** The words of the link. */
  readonly action: TextKey;
  readonly href: string;
  /** `urgent`: something does not work until it is done. */
  readonly urgent: boolean;
}

/** What it is found in. */
export interface WaitingSource {
  readonly status: Status;
  readonly apps: readonly AppView[];
  readonly agents: readonly AgentView[];
  readonly connectors: readonly ConnectorView[];
  readonly threads: readonly ThreadRow[];
  readonly jobs: readonly JobView[];
}

/** Everything that waits for the person, what stops something first. */
export function waitingFor(source: WaitingSource): readonly Waiting[] {
  const found = [
    ...problems(source.status),
    ...source.apps.flatMap(appWaits),
    ...source.agents.flatMap(agentWaits),
    ...source.connectors.flatMap(connectorWaits),
    ...source.threads.map(threadWaits),
    ...failedDeploys(source.jobs, source.apps),
  ];
  return found.toSorted((a, b) => Number(b.urgent) - Number(a.urgent));
}

function problems({ problems }: Status): readonly Waiting[] {
  if (problems.length === 0) return [];
  const values = { n: problems.length, where: problems[0]!.where };
  return [{
    id: "configuration",
    text: "home.waiting.configuration",
    values,
    action: "home.waiting.see",
    href: "/settings",
    urgent: true,
  }];
}

function appWaits({ name, state, ready, version }: AppView): readonly Waiting[] {
  const path = `/apps/${encodeURIComponent(name)}`;
  const made: Waiting[] = [];
  if (state === "failing") {
    made.push({
      id: `failing ${name}`,
      text: "home.waiting.failing",
      values: { name },
      action: "home.waiting.log",
      href: `${path}?tab=log`,
      urgent: true,
    });
  }
  if (ready !== null) {
    made.push({
      id: `ready ${name}`,
      text: version === null ? "home.waiting.firstDeploy" : "home.waiting.deploy",
      values: { name, version: ready },
      action: "home.waiting.look",
      href: `${path}?tab=deploy`,
      urgent: false,
    });
  }
  return made;
}

function agentWaits({ name, problems }: AgentView): readonly Waiting[] {
  if (problems.length === 0) return [];
  return [{
    id: `agent ${name}`,
    text: "home.waiting.agent",
    values: { name, why: problems[0]!.message },
    action: "home.waiting.mend",
    href: `/agents/${encodeURIComponent(name)}`,
    urgent: true,
  }];
}

const UNPROVEN = {
  failed: "home.waiting.failedCheck",
  changed: "home.waiting.changedCheck",
  unproven: "home.waiting.unproven",
} as const;

function connectorWaits(connector: ConnectorView): readonly Waiting[] {
  const { name, bindings, proven } = connector;
  const open = proven.find(({ state }) => state !== "proven");
  if (bindings.length === 0 || !open || open.state === "proven") return [];
  return [{
    id: `unproven ${name}`,
    text: UNPROVEN[open.state],
    values: { name },
    action: "home.waiting.check",
    href: `/services/${open.interfaceId}?tab=providers`,
    urgent: open.state === "failed",
  }];
}

function threadWaits({ id, agent, title }: ThreadRow): Waiting {
  return {
    id: `thread ${id}`,
    text: "home.waiting.thread",
    values: { name: title ?? agent },
    action: "home.waiting.answer",
    href: `/threads/${encodeURIComponent(id)}`,
    urgent: false,
  };
}

/** The last deploy of an app counts: one that failed and was done again waits for nobody. */
function failedDeploys(jobs: readonly JobView[], apps: readonly AppView[]): readonly Waiting[] {
  return apps.flatMap(({ name }) => {
    const last = jobs.find(({ request }) => request.kind === "deploy" && request.app === name);
    if (!last || !hasFailed(last)) return [];
    return [{
      id: `deploy ${name}`,
      text: "home.waiting.failedDeploy",
      values: { name },
      action: "home.waiting.why",
      href: `/apps/${encodeURIComponent(name)}?tab=deploy&job=${last.id}`,
      urgent: false,
    }];
  });
}

/** A deploy whose tests failed is done, and has deployed nothing. */
function hasFailed({ state, result }: JobView): boolean {
  return state === "failed" ||
    (state === "done" && (result as { deployed?: boolean } | null)?.deployed === false);
}
