import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a drawing that refers to another",
  script: `
    document.body.innerHTML = '<svg><use href="' + sink + '#a"/><image href="' + sink + '"/><filter><feImage href="' + sink + '"/></filter></svg>';
  `,
};
