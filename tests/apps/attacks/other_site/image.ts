import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "a picture whose address changes something",
  script: `
    document.body.innerHTML = '<img src="' + victim + '/api/add?evil"><script src="' + victim + '/api/add?evil"></script>';
    await new Promise((later) => setTimeout(later, 300));
  `,
};
