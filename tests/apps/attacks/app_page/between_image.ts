import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a picture whose address changes something in another app",
  script: `
    new Image().src = victim + "/api/add?evil";
  `,
};
