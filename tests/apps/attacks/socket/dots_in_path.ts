import type { SocketAttack } from "../attack.ts";

export const attack: SocketAttack = {
  from: "socket",
  what: "a path that leads out of /api/",
  request: ({ port, app, cookie }) =>
    `GET /api/../../etc/passwd HTTP/1.1\r\nHost: ${app}.localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`,
  statuses: [403],
};
