import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a link that tells where it is clicked",
  script: `
    const link = document.createElement("a");
    Object.assign(link, { href: "#x", ping: sink });
    document.body.append(link);
    link.click();
  `,
  click: true,
};
