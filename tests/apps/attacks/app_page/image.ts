import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a picture from elsewhere",
  script: `
    new Image().src = sink;
  `,
};
