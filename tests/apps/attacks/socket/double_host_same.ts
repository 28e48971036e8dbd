import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "the same Host twice",
  request: ({ port, app, cookie }) =>
    `GET / HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [421],
};
