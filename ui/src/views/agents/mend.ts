import type { Problem } from "$client";
import type { TextKey } from "$texts";

/** The one thing that mends what keeps an agent from starting. */
export interface Mend {
  readonly action: TextKey;
  readonly href: string;
}

/** What mends a problem of an agent, by the file and the key that it is told of. */
export function mendOf({ where, hint }: Problem, agent: string): Mend {
  const untrusted = /handler trust (\S+\/v\d+)/.exec(hint ?? "")?.[1];
  if (untrusted) return { action: "agents.mend.trust", href: `/services/${untrusted}` };
  const [, kind, name = ""] = /\/(bindings|projects)\/([^/]+)\.toml(?::|$)/.exec(where) ?? [];
  if (kind === "bindings") return { action: "agents.mend.provider", href: `/bindings/${name}` };
  if (kind === "projects") return { action: "agents.mend.project", href: `/projects/${name}?tab=edit` };
  const tab = /:services(?:[.[]|$)/.test(where) ? "providers" : "edit";
  return {
    action: tab === "providers" ? "agents.mend.choose" : "agents.mend.edit",
    href: `/agents/${agent}?tab=${tab}`,
  };
}
