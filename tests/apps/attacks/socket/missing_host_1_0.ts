import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "no Host, as HTTP/1.0 allows",
  request: ({ cookie }) => `GET / HTTP/1.0\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
