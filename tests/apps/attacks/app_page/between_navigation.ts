import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a visit to an address that changes something in another app",
  script: `
    open(victim + "/api/add?evil", "_blank");
    location.href = victim + "/api/add?evil";
    await new Promise((later) => setTimeout(later, 500));
  `,
  click: true,
};
