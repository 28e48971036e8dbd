import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "the name in capitals",
  request: ({ port, app, cookie }) =>
    `GET / HTTP/1.1\r\nHost: ${app.toUpperCase()}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
