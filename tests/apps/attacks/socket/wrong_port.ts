import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "another port",
  request: ({ app, cookie }) => `GET / HTTP/1.1\r\nHost: ${app}.localhost:1\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
