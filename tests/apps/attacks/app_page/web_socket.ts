import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "a WebSocket",
  script: `
    try { new WebSocket(sink.replace("http", "ws")); } catch {}
  `,
};
