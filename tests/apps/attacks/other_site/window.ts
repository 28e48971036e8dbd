import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "a look into an app's window",
  script: `
    const other = open(victim + "/", "victim");
    await new Promise((later) => setTimeout(later, 800));
    try { report(other.document.body.textContent); } catch {}
    try { if (other.location.href.startsWith(victim)) report("it is at " + other.location.href); } catch {}
  `,
  click: true,
};
