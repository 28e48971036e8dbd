import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "no Host",
  request: ({ cookie }) => `GET / HTTP/1.1\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [400],
};
