import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "an icon and a manifest",
  script: `
    for (const rel of ["icon", "apple-touch-icon", "manifest", "search"]) {
      const link = document.createElement("link");
      Object.assign(link, { rel, href: sink + "?" + rel });
      document.head.append(link);
    }
  `,
};
