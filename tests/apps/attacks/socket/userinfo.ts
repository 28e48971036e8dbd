import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "user information before the name",
  request: ({ port, app, cookie }) =>
    `GET / HTTP/1.1\r\nHost: owner@${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
