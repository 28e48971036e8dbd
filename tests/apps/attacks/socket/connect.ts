import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a tunnel",
  request: ({ port, app, cookie }) =>
    `CONNECT ${app}.localhost:${port} HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [],
};
