import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a connection made ahead, and a name looked up",
  script: `
    for (const rel of ["preconnect", "dns-prefetch"]) {
      const link = document.createElement("link");
      Object.assign(link, { rel, href: sink });
      document.head.append(link);
    }
    await new Promise((later) => setTimeout(later, 800));
  `,
  plainConnects: ["chromium"],
};
