import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a page of the own backend without a policy",
  script: `
    location.href = "/api/page?to=" + encodeURIComponent(sink);
    await new Promise((later) => setTimeout(later, 800));
  `,
};
