import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a name of the attacker's that leads to this machine",
  request: ({ port, cookie }) => `GET / HTTP/1.1\r\nHost: evil.example:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
