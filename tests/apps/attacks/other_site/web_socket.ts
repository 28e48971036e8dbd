import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "other site",
  what: "a WebSocket into an app",
  script: `
    const socket = new WebSocket(victim.replace("http", "ws") + "/api/socket");
    socket.onopen = () => report("a WebSocket is open");
    await new Promise((later) => setTimeout(later, 500));
  `,
};
