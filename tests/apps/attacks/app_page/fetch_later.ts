import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a fetch when the page is gone",
  script: `
    try { fetchLater(sink, { activateAfter: 0 }); } catch {}
    location.href = "about:blank";
  `,
};
