import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "an @import in a sheet of its own",
  script: `
    const sheet = document.createElement("style");
    sheet.textContent = "@import url(" + sink + ");";
    document.head.append(sheet);
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: sink });
    document.head.append(link);
  `,
};
