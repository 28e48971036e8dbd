import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a link to a file elsewhere",
  script: `
    const link = document.createElement("a");
    Object.assign(link, { href: sink, download: "x" });
    document.body.append(link);
    link.click();
    await new Promise((later) => setTimeout(later, 500));
  `,
  click: true,
  plainLeak: ["chromium", "firefox"],
};
