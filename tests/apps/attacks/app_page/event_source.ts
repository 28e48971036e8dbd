import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "events",
  script: `
    new EventSource(sink);
  `,
};
