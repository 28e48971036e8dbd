import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a NUL in the path",
  request: ({ port, app, cookie }) =>
    `GET /api/%00 HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [403],
};
