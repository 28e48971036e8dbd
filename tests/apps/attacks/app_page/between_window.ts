import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a look into another app's window",
  script: `
    const other = open(victim + "/", "victim");
    await new Promise((later) => setTimeout(later, 800));
    try { report(other.document.body.textContent); } catch {}
    other?.postMessage("evil", "*");
    other?.close();
  `,
  click: true,
};
