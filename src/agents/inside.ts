/** Where an agent finds what Handler puts into its sandbox. */
export const AGENT_INSIDE = {
  /** `<interface>.sock` for each service. */
  services: "/run/handler/services",
  /** `handler-service`, `handler-call`, `handler-llm`, `handler`; on the search path. */
  bin: "/opt/handler/bin",
  /** `<interface>/SKILL.md` for each service. */
  skills: "/opt/handler/skills",
  /** The agent's own home, kept from one session to the next. */
  home: "/opt/handler/home",
} as const;
